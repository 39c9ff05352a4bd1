import type { Shared } from '../postgres/database.ts'
import { compile } from '../postgres/sql.ts'

/**
 * Reads a page once for all requests that ask for it in one turn of the event loop: a desk's consoles ask for the same
 * inbox when an event arrives. The statement begins after all of them have asked, so each gets rows as current as with
 * a statement of its own. Pages are the same if their statements and all values are; the environment is one of these.
 */
export function sharedPages(): Shared {
  const asked = new Map<string, Promise<unknown>>()
  return {
    shared<Found>(query: Parameters<Shared['shared']>[0], read: () => Promise<Found>): Promise<Found> {
      const { text, values } = compile(query)
      const key = `${text} ${JSON.stringify(values)}`
      let found = asked.get(key) as Promise<Found> | undefined
      if (!found) {
        found = new Promise((resolve) =>
          setImmediate(() => {
            asked.delete(key)
            resolve(read())
          }),
        )
        asked.set(key, found)
      }
      return found
    },
  }
}
