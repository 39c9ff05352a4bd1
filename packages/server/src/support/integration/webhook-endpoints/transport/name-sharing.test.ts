import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { crowded, limitedNames, sharedNames } from './name-sharing.ts'

const forever = new AbortController().signal
const notFound = (name: string) => Object.assign(new Error(name), { code: 'ENOTFOUND' })

/** A resolver that answers when it is told to. */
function slowSystem() {
  const open: { name: string; answer(addresses: string[]): void; fail(): void }[] = []
  const asked: string[] = []
  let most = 0
  return {
    open,
    asked,
    get most() {
      return most
    },
    ask: (name: string) =>
      new Promise<string[]>((resolve, reject) => {
        asked.push(name)
        const close = () => open.splice(open.indexOf(self), 1)
        const self = {
          name,
          answer: (addresses: string[]) => {
            close()
            resolve(addresses)
          },
          fail: () => {
            close()
            reject(notFound(name))
          },
        }
        open.push(self)
        most = Math.max(most, open.length)
      }),
  }
}

test('of 200 names at once the system looks up two, 32 wait, and the others are refused at once', async () => {
  const system = slowSystem()
  const names = sharedNames(limitedNames(system.ask))
  const outcomes = Array.from({ length: 200 }, (_, i) =>
    names.resolve(`x${i}.example`, forever).then(
      () => 'found',
      (error: Error) => error.message,
    ),
  )
  await setImmediate()
  assert.deepEqual([system.open.length, names.pending], [2, 34])
  while (system.open.length > 0) {
    for (const each of [...system.open]) each.fail()
    await setImmediate()
  }
  const ended = await Promise.all(outcomes)
  assert.equal(ended.filter((each) => each === crowded).length, 166)
  assert.equal(system.most, 2)
  assert.equal(names.pending, 0)
})

test('a name has one look-up at a time, and none for 30 s after it was not found', async (t) => {
  const system = slowSystem()
  let nowMs = 1
  t.mock.method(performance, 'now', () => nowMs)
  const names = sharedNames(limitedNames(system.ask))
  const ask = () => names.resolve('x.example', forever)
  const outcomes = Promise.allSettled(Array.from({ length: 50 }, ask))
  await setImmediate()
  assert.deepEqual(system.asked, ['x.example'])
  system.open[0]!.fail()
  assert.ok((await outcomes).every(({ status }) => status === 'rejected'))
  await assert.rejects(ask(), { code: 'ENOTFOUND' })
  assert.equal(system.asked.length, 1)
  nowMs += 30_001
  const again = ask()
  await setImmediate()
  system.open[0]!.answer(['192.0.2.1'])
  assert.deepEqual(await again, ['192.0.2.1'])
})

test('a name that resolved before keeps its addresses while unknown names take all places', async () => {
  const system = slowSystem()
  const names = sharedNames(limitedNames(system.ask))
  const first = names.resolve('good.example', forever)
  await setImmediate()
  system.open[0]!.answer(['192.0.2.1'])
  assert.deepEqual(await first, ['192.0.2.1'])
  for (let i = 0; i < 34; i++) names.resolve(`x${i}.example`, forever).catch(() => undefined)
  assert.deepEqual(await names.resolve('good.example', forever), ['192.0.2.1'])
})

test('a look-up that nobody waits for any more gives up its place', async () => {
  const system = slowSystem()
  const names = sharedNames(limitedNames(system.ask))
  const stop = new AbortController()
  const all = Array.from({ length: 34 }, (_, i) => names.resolve(`x${i}.example`, stop.signal))
  stop.abort(new Error('too late'))
  assert.ok((await Promise.allSettled(all)).every(({ status }) => status === 'rejected'))
  const next = names.resolve('good.example', forever)
  for (const each of [...system.open]) each.fail()
  await setImmediate()
  assert.deepEqual(
    system.open.map(({ name }) => name),
    ['good.example'],
  )
  system.open[0]!.answer(['192.0.2.1'])
  assert.deepEqual(await next, ['192.0.2.1'])
})
