import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pause } from '../kernel/pause.ts'
import { openBroadcasts } from './broadcasts.ts'
import type { Connection, Db } from './database.ts'
import { keepAlive, openSession, usualLimits } from './session.ts'
import { sql } from './sql.ts'

const channel = 'backline'
const broadcastChannel = 'backline_broadcasts'
const reconnectMs = 500
const connectTimeoutMs = 2_000
const queryTimeoutMs = 5_000
const watchMs = 15_000
/** A server that hangs does not delay the end of the process. */
const closeTimeoutMs = 1_000
/** NOTIFY takes a lock that all commits of the cluster share, so a busy process combines its notifications. */
const coalesceMs = 50

/**
 * Topics of notifications between processes, some with an environment. They only reduce latency: a process that
 * misses one finds the same by polling.
 */
export type Topic = 'due' | 'clock' | 'news' | 'followers' | 'mail' | 'mail_out'

export type Notifications = {
  /** Notifies all other processes at once, or within 50 ms of the previous notification. */
  tell(topic: Topic, tenantId?: string): void
  /** @param listener receives null if the environment is unknown, for example after a lost connection */
  on(topic: Topic, listener: (tenantId: string | null) => void): void
  /**
   * Sends a text of one line to all other processes within a fraction of a second. Unlike the topics it has content, is
   * found by no polling, and may be dropped.
   */
  broadcast(text: string): void
  onBroadcast(listener: (text: string) => void): void
  close(): Promise<void>
}

/** Listens on a dedicated connection and reconnects when it is lost. */
export function openNotifications(connection: Connection, db: Db): Notifications {
  const listeners = new Map<string, Set<(tenantId: string | null) => void>>()
  const hearers = new Set<(text: string) => void>()
  const self = randomUUID()
  const broadcasts = openBroadcasts(db, broadcastChannel, self)
  const pending = new Set<string>()
  let toldAtMs = -coalesceMs
  let client: pg.Client | null = null
  const closing = new AbortController()

  function newClient(address: pg.ClientConfig): pg.Client {
    const client = new pg.Client({
      application_name: 'backline listen',
      ...keepAlive,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: queryTimeoutMs,
      ...address,
    })
    client.on('error', () => undefined) // followed by 'end'
    return client.on('notification', ({ channel, payload = '' }) => {
      if (channel === broadcastChannel) return hear(payload)
      const [from, topic = '', tenantId = null] = payload.split(' ')
      if (from !== self) for (const listener of listeners.get(topic) ?? []) listener(tenantId)
    })
  }

  function hear(payload: string): void {
    const [from, ...texts] = payload.split('\n')
    if (from === self) return
    for (const text of texts) for (const hearer of hearers) hearer(text)
  }

  async function listen(): Promise<void> {
    let next: pg.Client | null = null
    let ended: Promise<unknown> | null = null
    const over = new AbortController()
    try {
      next = await openSession(connection, usualLimits, (address) => {
        const client = newClient(address)
        ended = new Promise((resolve) => client.once('end', resolve))
        return client
      })
      await next.query(`listen ${channel}`)
      await next.query(`listen ${broadcastChannel}`)
      client = next
      // Notifications that were missed meanwhile.
      for (const each of listeners.values()) for (const listener of each) listener(null)
      if (closing.signal.aborted) await next.end()
      await Promise.race([ended, watch(next, over.signal)])
    } catch {
      await next?.end().catch(() => undefined)
    } finally {
      over.abort()
      client = null
    }
  }

  /** Throws when the server no longer responds. */
  async function watch(listening: pg.Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(watchMs, signal)
      if (!signal.aborted) await listening.query('select 1')
    }
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      await listen()
      await pause(reconnectMs, closing.signal)
    }
  }

  const running = run()
  return {
    tell(topic, tenantId) {
      if (pending.size === 0) {
        const flush = () => {
          const payloads = [...pending]
          pending.clear()
          toldAtMs = performance.now()
          db.write(sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) payload`).catch(
            () => undefined, // polling finds it
          )
        }
        setTimeout(flush, Math.max(0, toldAtMs + coalesceMs - performance.now())).unref()
      }
      pending.add([self, topic, tenantId].filter(Boolean).join(' '))
    },
    on(topic, listener) {
      const known = listeners.get(topic) ?? new Set()
      listeners.set(topic, known.add(listener))
    },
    broadcast: broadcasts.send,
    onBroadcast(listener) {
      hearers.add(listener)
    },
    async close() {
      closing.abort()
      const closed = (async () => {
        await client?.end().catch(() => undefined)
        await running
      })()
      await Promise.race([closed, sleep(closeTimeoutMs, undefined, { ref: false })])
    },
  }
}
