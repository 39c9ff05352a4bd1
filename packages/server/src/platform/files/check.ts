import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type FileStore, StoreUnavailable } from './store.ts'

/** Writes, reads, copies and removes a small object. @throws StoreUnavailable that names what fails */
export async function checkStore(store: FileStore): Promise<void> {
  const id = randomUUID()
  const [key, copied] = [`check/${id}`, `check/${id}.copy`]
  const content = Buffer.from(`A check of this store by Backline, ${id}.\n`)
  const step = <T>(name: string, work: () => Promise<T>): Promise<T> =>
    work().catch((error) => {
      throw new StoreUnavailable(`cannot ${name} in ${error.message}`, { cause: error })
    })
  const requireContent = async (of: string) => {
    const found = await buffer(await store.read(of))
    if (!found.equals(content))
      throw new StoreUnavailable('the store: it returns other bytes than were written')
  }
  try {
    await step('write', () => store.write(key, Readable.from([content]), content.length))
    await step('read', () => requireContent(key))
    await step('copy', () => store.copy(key, copied))
    await step('read a copy', () => requireContent(copied))
  } catch (error) {
    await Promise.allSettled([store.remove(key), store.remove(copied)])
    throw error
  }
  await step('delete', () => Promise.all([store.remove(key), store.remove(copied)]))
}
