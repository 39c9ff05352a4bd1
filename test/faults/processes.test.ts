import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import { urlOf } from '../databases.ts'
import { act, type Body, conversation, holdReason, say, shown, succeeded } from '../desk.ts'
import { type Client, clientOf, service } from '../harness.ts'
import { endpoint, hookReceiver, localNetworks, startWorker } from '../hooks.ts'
import { cleanUp, startServer, until } from '../processes.ts'
import { config } from '../sla-fixtures.ts'
import { isFull } from './lengths.ts'
import { type FeedEvent, wholeFeed } from './readings.ts'

/* Two processes that serve requests and one worker, on one database. The server of `service()` only creates worlds. */

const api = service()

after(cleanUp)

const waves = isFull ? 8 : 1
const perWave = 10
/** A killed worker holds its lease for up to 15 s; the rest is a margin for slow machines. */
const latestMs = 30_000

const startFront = () =>
  startServer({
    environment: { DATABASE_URL: urlOf(api.connection), BACKLINE_ROLE: 'api', ...localNetworks },
  })

async function startFronts(key: string) {
  const servers = await Promise.all([startFront(), startFront()])
  const [one, other] = servers.map(({ url }) => clientOf(url, key)) as [Client, Client]
  return { one, other, servers, stop: () => Promise.all(servers.map((server) => server.stop())) }
}

/** Streams the events of a process; returns the arrival time of each by id. */
async function stream(url: string, key: string): Promise<{ cameAt: Map<string, number>; close(): void }> {
  const closing = new AbortController()
  const response = await fetch(`${url}/v1/events/stream`, {
    headers: { authorization: `Bearer ${key}` },
    signal: closing.signal,
  })
  assert.equal(response.status, 200)
  const cameAt = new Map<string, number>()
  let isConnected = false
  const reading = async () => {
    let rest = ''
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      isConnected = true // a comment comes first
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      for (const line of lines)
        if (line.startsWith('data: ')) cameAt.set(JSON.parse(line.slice(6)).id, Date.now())
    }
  }
  reading().catch(() => undefined)
  await until('the stream begins', () => isConnected)
  return { cameAt, close: () => closing.abort() }
}

/** The work that the server does by itself: per kind, the event type and the time at which it was due. */
const jobs: { type: string; dueAt(event: FeedEvent): number }[] = [
  { type: 'conversation.resumed', dueAt: ({ data }) => Date.parse((data as Body).previous.hold.until) },
  {
    type: 'conversation.closed',
    dueAt: ({ data }) => Date.parse(data.object.resolved_at as string) + autoCloseSeconds * 1000,
  },
  { type: 'conversation.sla_breached', dueAt: ({ data }) => Date.parse(breached(data as Body).due_at) },
]
const autoCloseSeconds = 2

const isOfConversations = ({ type }: FeedEvent) => /^(conversation|message)\./.test(type)

/** The clock of a breach event. */
const breached = ({ object, previous }: Body): Body =>
  ['first_response', 'resolution']
    .filter((clock) => object.sla[clock].breached_at && !previous.sla?.[clock]?.breached_at)
    .map((clock) => object.sla[clock])[0]

test('what is due is done once and in time, although workers are killed and replaced', async (t) => {
  const { live, environments } = await api.world()
  const isDueSoon = sql`select 1 from due_work
    where tenant_id = ${environments.live.tenantId} and due_at < now() + interval '5 seconds' limit 1`
  const fronts = await startFronts(live.key)
  const { one, other } = fronts
  const told = await stream(fronts.servers[1]!.url, live.key)
  let worker = await startWorker(api)
  const receiver = await hookReceiver()
  await endpoint(one, receiver.url, { enabled_events: ['conversation.*'] })
  succeeded(await one.patch('/v1/workspace', { auto_close_after_seconds: autoCloseSeconds }))
  const targets = [{ first_response_seconds: 2, resolution_seconds: 3 }]
  await config(one, { conditions: { priorities: ['urgent'] }, targets })
  const hold_reason_id = await holdReason(one, { default_duration_seconds: 2 })
  const made: Record<'held' | 'resolved' | 'promised', string[]> = { held: [], resolved: [], promised: [] }

  async function make(): Promise<void> {
    const [held, resolved, promised] = await Promise.all([
      conversation(one),
      conversation(other),
      conversation(one, { priority: 'urgent' }),
    ])
    await Promise.all([act(other, held.id, 'hold', { hold_reason_id }), act(one, resolved.id, 'resolve')])
    made.held.push(held.id)
    made.resolved.push(resolved.id)
    made.promised.push(promised.id)
  }
  for (let wave = 0; wave < waves; wave++) {
    await Promise.all(Array.from({ length: perWave }, make))
    await sleep(1_000 + Math.random() * 1_500)
    await worker.stop('SIGKILL')
    worker = await startWorker(api)
    // Another kill would delay the remaining work by another lease.
    await until('all that is due soon is done', async () => (await api.db.rows(isDueSoon)).length === 0)
  }

  const expected = {
    'conversation.resumed': made.held,
    'conversation.closed': made.resolved,
    'conversation.sla_warning': [...made.promised, ...made.promised],
    'conversation.sla_breached': [...made.promised, ...made.promised],
  }
  const count = Object.values(expected).flat().length
  const isExpected = ({ type }: FeedEvent) => Object.hasOwn(expected, type)
  const events = await until('all is done', async () => {
    const events = await wholeFeed(fronts.servers[0]!.url, live.key)
    return events.filter(isExpected).length >= count && events
  })
  await until('it is streamed', () => events.filter(isExpected).every(({ id }) => told.cameAt.has(id)))
  for (const [type, ids] of Object.entries(expected)) {
    const told = events.filter((event) => event.type === type).map(({ data }) => data.object.id as string)
    assert.deepEqual(told.sort(), ids.toSorted(), `${type}: each once`)
  }
  for (const { type, dueAt } of jobs) {
    const late = events
      .filter((event) => event.type === type)
      .map((event) => told.cameAt.get(event.id)! - dueAt(event))
    const [least, most] = [Math.min(...late), Math.max(...late)]
    t.diagnostic(`${type}: ${late.length}, up to ${most} ms late`)
    assert.ok(least >= 0 && most < latestMs, `${type} between ${least} and ${most} ms late`)
  }
  const sent = events.filter(isOfConversations).map(({ id }) => id)
  await until('every webhook has come', () => {
    const received = new Set(receiver.hooks.map(({ event }) => event.id))
    return sent.every((id) => received.has(id))
  })
  assert.deepEqual(await worker.stop(), { code: 0, signal: null })
  told.close()
  await fronts.stop()
})

test('what one process has written the other one shows at once, and its stream tells of it', async () => {
  const { live } = await api.world()
  const fronts = await startFronts(live.key)
  const told = await stream(fronts.servers[1]!.url, live.key)

  async function writeHereReadThere(here: Client, there: Client): Promise<void> {
    const made = await conversation(here)
    assert.deepEqual(await shown(there, made.id), made)
    const message = await say(there, made.id, 'end_user')
    const { data } = succeeded(await here.get(`/v1/conversations/${made.id}/messages`))
    assert.deepEqual(data, [message])
    assert.equal((await shown(here, made.id)).message_count, 1)
    const { status, version } = await act(here, made.id, 'resolve')
    assert.partialDeepStrictEqual(await shown(there, made.id), { status, version })
  }
  const { one, other } = fronts
  const writers = Array.from({ length: 8 }, async (_, i) => {
    for (let count = 0; count < (isFull ? 100 : 5); count++)
      await (i % 2 === 0 ? writeHereReadThere(one, other) : writeHereReadThere(other, one))
  })
  await Promise.all(writers)
  const events = (await wholeFeed(fronts.servers[0]!.url, live.key)).filter(
    (event) => isOfConversations(event) || event.type === 'end_user.created',
  )
  await until('all events are streamed', () => events.every(({ id }) => told.cameAt.has(id)))
  assert.equal(told.cameAt.size, events.length)
  told.close()
  await fronts.stop()
})
