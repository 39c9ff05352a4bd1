import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Connection, Db } from './database.ts'
import { sql } from './sql.ts'

const channel = 'backline'
const reconnectMs = 500
/** Notifying takes a lock that all commits of the cluster share, so that a busy process tells its news together. */
const coalesceMs = 50

/** What processes tell each other. They only save waiting: whoever misses one finds the same by looking. */
export type Topic = 'due' | 'clock'

export type Notifications = {
  /** Tells all processes, this one included, within some 50 ms. */
  tell(topic: Topic): void
  on(topic: Topic, listener: () => void): void
  close(): Promise<void>
}

/** Listens on a connection of its own, and connects again whenever that is lost. */
export function openNotifications(connection: Connection, db: Db): Notifications {
  const listeners = new Map<string, Set<() => void>>()
  const pending = new Set<Topic>()
  let client: pg.Client | null = null
  const closing = new AbortController()

  async function listen(): Promise<void> {
    const config = typeof connection === 'string' ? { connectionString: connection } : connection
    const next = new pg.Client({ ...config, application_name: 'backline listen', keepAlive: true })
    const ended = new Promise<void>((resolve) => next.once('end', resolve))
    next.on('error', () => undefined) // followed by 'end'
    next.on('notification', ({ payload = '' }) => {
      for (const listener of listeners.get(payload) ?? []) listener()
    })
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      client = next
      for (const each of listeners.values()) for (const listener of each) listener() // what was told meanwhile
      if (closing.signal.aborted) await next.end()
      await ended
    } catch {
      await next.end().catch(() => undefined)
    } finally {
      client = null
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen()
      await sleep(reconnectMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
    }
  }

  const running = run()
  return {
    tell(topic) {
      if (pending.size === 0) {
        const flush = () => {
          const topics = [...pending]
          pending.clear()
          for (const each of topics)
            db.write(sql`select pg_notify(${channel}, ${each})`).catch(() => undefined) // looking finds it
        }
        setTimeout(flush, coalesceMs).unref()
      }
      pending.add(topic)
    },
    on(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
    },
    async close() {
      closing.abort()
      await client?.end().catch(() => undefined)
      await running
    },
  }
}
