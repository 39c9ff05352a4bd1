import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send, walk } from '../load.ts'
import { cleanUp, launch, patienceMs, repository, startServer, temporaryDirectory } from '../processes.ts'
import type { FloodOrder, FloodReport } from './flood.ts'
import { isFull } from './lengths.ts'

/*
 * Sends many more requests than can be served. Latencies are reported; the aim is a response within a second for each
 * accepted request. The assertions hold on any machine.
 */

const seconds = isFull ? { closed: 3, flooded: 15 } : { closed: 1, flooded: 2 }
const connections = 2_000
/** Only a hang takes longer than this. */
const stuckMs = 10_000

after(cleanUp)

async function flood(order: FloodOrder): Promise<FloodReport> {
  const program = join(import.meta.dirname, 'flood.ts')
  const child = launch({ command: [process.execPath, program, JSON.stringify(order)], directory: repository })
  const { code } = await child.ended(order.seconds * 1000 + 3 * patienceMs) // it also waits before and after
  assert.equal(code, 0, child.output)
  return JSON.parse(child.stdout)
}

test('of ten times what can be done, some is done in time and the rest is refused with Retry-After', async (t) => {
  const server = await startServer({ environment: { BACKLINE_DATA_DIR: temporaryDirectory() } })
  const { url } = server
  const apiKey = (await server.firstKeys()).test
  const closed = await flood({
    ...{ url, apiKey, name: 'closed', connections: 64, seconds: seconds.closed, perSecond: null },
  })
  assert.deepEqual(Object.keys(closed.statuses), ['201'], 'what can be done is done')
  const capacity = closed.accepted.count / seconds.closed

  const flooding = flood({
    ...{ url, apiKey, name: 'flooded', connections, seconds: seconds.flooded },
    perSecond: Math.round(10 * capacity),
  })
  let isOver = false
  const health: number[] = []
  const asking = (async () => {
    while (!isOver) {
      for (const path of ['/healthz', '/readyz', '/metrics'])
        health.push((await send(url, apiKey, 'GET', path)).status)
      await sleep(50)
    }
  })()
  const flooded = await flooding
  isOver = true
  await asking
  const recovery = await send(url, apiKey, 'GET', '/v1/workspace')
  assert.equal(recovery.status, 200, 'the server is well at once')

  const { statuses, accepted, refused } = flooded
  t.diagnostic(`${Math.round(capacity)} creates/s can be done; ${JSON.stringify(statuses)} of ten times that`)
  t.diagnostic(`accepted ms: p50 ${accepted.p50Ms}, p99 ${accepted.p99Ms}, longest ${accepted.longestMs}`)
  t.diagnostic(`refused ms: p50 ${refused.p50Ms}, p99 ${refused.p99Ms}, longest ${refused.longestMs}`)
  t.diagnostic(
    `accepted within 1 s: ${accepted.longestMs <= 1_000 ? 'yes' : 'no'}; then ${Math.round(recovery.tookMs)} ms`,
  )
  assert.deepEqual(
    Object.keys(statuses).filter((status) => !['201', '429', '503'].includes(status)),
    [],
  )
  assert.ok(statuses['503']! > 0 && statuses['201']! > 0, JSON.stringify(statuses))
  assert.equal(flooded.withoutRetryAfter, 0)
  assert.equal(flooded.unanswered, 0)
  assert.ok(accepted.longestMs < stuckMs, `${accepted.longestMs} ms`)
  assert.deepEqual([...new Set(health)], [200])

  const { text: metrics } = await send(url, apiKey, 'GET', '/metrics')
  const metric = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)![1])
  assert.equal(metric('backline_http_requests_refused_total'), statuses['503'])
  assert.equal(metric('backline_http_requests_in_progress'), 0)

  const listed = await walk(url, apiKey, '/v1/conversations')
  const made = new Map([...closed.made, ...flooded.made])
  assert.equal(listed.length, made.size)
  for (const { id, external_user_id } of listed) assert.equal(made.get(id as string), external_user_id)
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})
