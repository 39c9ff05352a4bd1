import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { Target } from './load.ts'

/* Mixed requests of a desk: conversations are created, written to, read, listed and resolved. */

const connections = 64
const tickMs = 5
/** The number of recent conversations that requests use. */
const remembered = 500
/** A response that takes longer counts as missing. */
const patienceMs = 30_000

export type Latencies = { p50Ms: number; p99Ms: number }

export type Arrivals = {
  statuses: Record<string, number>
  unanswered: number
  /** The latencies of requests planned in a period since the start. */
  latencies(fromMs: number, toMs: number): Latencies
}

type Request = { method: 'GET' | 'POST'; path: string; body?: object }

/** The next request of a desk. A tenth create conversations, six of ten are reads. */
function mixedRequests() {
  const conversations: string[] = []
  let count = 0
  const next = (): Request => {
    const id = conversations[Math.floor(Math.random() * conversations.length)]
    const kind = Math.random()
    if (id === undefined || kind < 0.1)
      return {
        method: 'POST',
        path: '/v1/conversations',
        body: { external_user_id: `user_${count++}`, subject: 'Card declined' },
      }
    if (kind < 0.37)
      return {
        method: 'POST',
        path: `/v1/conversations/${id}/messages`,
        body: { author_side: 'end_user', body: 'It was declined again.' },
      }
    if (kind < 0.4) return { method: 'POST', path: `/v1/conversations/${id}/resolve` }
    if (kind < 0.7) return { method: 'GET', path: `/v1/conversations/${id}` }
    if (kind < 0.9) return { method: 'GET', path: `/v1/conversations/${id}/messages?sort=-sequence` }
    if (kind < 0.95) return { method: 'GET', path: '/v1/conversations' }
    return { method: 'GET', path: '/v1/events?limit=25' }
  }
  const learn = ({ path }: Request, status: number, text: string) => {
    if (path !== '/v1/conversations' || status !== 201) return
    conversations.push(JSON.parse(text).id)
    if (conversations.length > remembered) conversations.shift()
  }
  return { next, learn }
}

function sender({ url, apiKey }: Target) {
  const pool = new Pool(url, {
    connections,
    pipelining: 1,
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  })
  const { next, learn } = mixedRequests()
  const statuses: Record<string, number> = {}
  return {
    statuses,
    close: () => pool.close(),
    /** @throws if there is no response */
    async send(): Promise<void> {
      const request = next()
      const { statusCode, body } = await pool.request({
        method: request.method,
        path: request.path,
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(request.method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {}),
          ...(request.body ? { 'content-type': 'application/json' } : {}),
        },
        body: request.body ? JSON.stringify(request.body) : null,
      })
      const text = await body.text()
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
      learn(request, statusCode, text)
    },
  }
}

/** Each connection sends its next request after its response. @returns requests per second */
export async function closedLoop(target: Target, durationMs: number): Promise<number> {
  const { send, close } = sender(target)
  const startedAt = performance.now()
  let answered = 0
  const work = async () => {
    while (performance.now() - startedAt < durationMs) {
      await send()
      answered++
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - startedAt) / 1000
  await close()
  return answered / seconds
}

/**
 * Requests are planned at fixed times, whether or not earlier ones have been answered. Latencies count from the
 * planned time: a request that waits for a connection has waited for the server.
 */
export async function openLoop(target: Target, perSecond: number, durationMs: number): Promise<Arrivals> {
  const { send, close, statuses } = sender(target)
  const total = Math.floor((durationMs / 1000) * perSecond)
  const durations = new Float32Array(total)
  const running = new Set<Promise<void>>()
  let unanswered = 0
  const startedAt = performance.now()
  for (let sent = 0; sent < total; await sleep(tickMs)) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1000) * perSecond)
    for (; sent < due; sent++) {
      const number = sent
      const plannedAt = startedAt + (number * 1000) / perSecond
      const one = send()
        .catch(() => void unanswered++)
        .then(() => {
          durations[number] = performance.now() - plannedAt
          running.delete(one)
        })
      running.add(one)
    }
  }
  await Promise.all(running)
  await close()
  return {
    statuses,
    get unanswered() {
      return unanswered
    },
    latencies(fromMs, toMs) {
      const at = (ms: number) => Math.round((ms / 1000) * perSecond)
      const sorted = durations.slice(at(fromMs), at(toMs)).sort()
      const quantile = (of: number) => sorted[Math.floor((sorted.length - 1) * of)] ?? Number.NaN
      return { p50Ms: quantile(0.5), p99Ms: quantile(0.99) }
    },
  }
}
