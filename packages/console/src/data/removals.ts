import type { QueryKey } from '@tanstack/react-query'

const removed = new Set<string>()

/**
 * Deletes an object. From now on its queries are not read again: the event of the deletion can arrive before the
 * response.
 * @throws the error of `work`; the object is still there then
 */
export async function removing(id: string, work: () => PromiseLike<unknown>): Promise<void> {
  removed.add(id)
  try {
    await work()
  } catch (error) {
    removed.delete(id)
    throw error
  }
}

/** A filter of queries: false for those of an object that this page deletes or has deleted. */
export const isThere = ({ queryKey: [, id] }: { queryKey: QueryKey }): boolean =>
  typeof id !== 'string' || !removed.has(id)
