import type { Db } from './database.ts'
import { sql } from './sql.ts'

/** NOTIFY takes a lock that all commits of the cluster share, so texts are sent together. */
const intervalMs = 100
/** The maximum number of texts that wait; further ones are dropped. */
const maxWaiting = 500
/** PostgreSQL allows less than 8,000 bytes in a notification. */
const maxPayloadBytes = 7_900

/** Texts for the other processes that are in no table. They may be dropped, and delay nothing else. */
export type Broadcasts = {
  /** Sends a text of one line soon. Drops it if too many wait, or if it is too long. */
  send(text: string): void
}

/** @param prefix of each payload, one line */
export function openBroadcasts(db: Pick<Db, 'write'>, channel: string, prefix: string): Broadcasts {
  const waiting: string[] = []
  let isBusy = false

  async function flush(): Promise<void> {
    const payloads = payloadsOf(waiting.splice(0), prefix)
    await db
      .write(sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) payload`)
      .catch(() => undefined)
    isBusy = false
    if (waiting.length > 0) startFlush()
  }
  /** At most one statement is under way: while the database is slow, texts are dropped. */
  function startFlush(): void {
    isBusy = true
    setTimeout(() => void flush(), intervalMs).unref()
  }

  return {
    send(text) {
      if (waiting.length >= maxWaiting) return
      if (Buffer.byteLength(text) + Buffer.byteLength(prefix) + 1 > maxPayloadBytes) return
      waiting.push(text)
      if (!isBusy) startFlush()
    },
  }
}

/** Joins texts to few payloads, a text on each line after the prefix. */
export function payloadsOf(texts: string[], prefix: string): string[] {
  const payloads: string[] = []
  let payload = prefix
  for (const text of texts) {
    if (Buffer.byteLength(payload) + Buffer.byteLength(text) + 1 > maxPayloadBytes) {
      payloads.push(payload)
      payload = prefix
    }
    payload += `\n${text}`
  }
  return [...payloads, payload]
}
