import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sealed } from '../audit.ts'
import { act, conversation, holdReason, shown } from '../desk.ts'
import { clientOf } from '../harness.ts'
import { localNetworks } from '../hooks.ts'
import { attempt, send, startLoad, type Write } from '../load.ts'
import { cleanUp, launch, type ServerProcess, startServer, until } from '../processes.ts'
import {
  type Cluster,
  database,
  programs,
  startPrimary,
  startStandby,
  suspendReplication,
} from './clusters.ts'
import { isFull } from './lengths.ts'
import {
  assertDelivered,
  assertOrdered,
  type FeedEvent,
  type Follower,
  followFeed,
  followStream,
  receiveCreated,
  wholeFeed,
} from './readings.ts'
import {
  assertConsistent,
  assertRefusals,
  assertUnavailable,
  assertWritten,
  isAcknowledged,
  retryAll,
  sharedConversations,
  writesAreDone,
} from './written.ts'

/* The primary is lost under load and its standby promoted. Two servers run on, with both in their DATABASE_URL. */

const clients = isFull ? 16 : 8
const rounds = isFull ? 3 : 1
/** The time that an asynchronous standby is behind when the primary is killed. */
const behindMs = 700
/** The time from the loss of the primary to the promotion. */
const awayMs = 1_500
/** What is due while the primary is away is done by the new one. */
const holdSeconds = 2
const patienceMs = 60_000

after(cleanUp)

type Kind = 'synchronous' | 'asynchronous'
type Loss = 'is killed' | 'no longer responds'

const skip = programs === null && "no PostgreSQL with pg_basebackup: install Debian's package `postgresql`"

/** Is the clock of the standby right, or so far behind that of the primary that events would precede former ones? */
type Clock = 'right' | 'late'
const lateSeconds = 120

const cases: [Kind, Loss, Clock][] = [
  ['synchronous', 'is killed', 'right'],
  ['asynchronous', 'is killed', 'right'],
  ['asynchronous', 'is killed', 'late'],
  ['synchronous', 'no longer responds', 'right'],
]
for (const [kind, loss, clock] of cases)
  for (let round = 1; round <= rounds; round++) {
    const standby =
      clock === 'late' ? `${kind} standby, whose clock is ${lateSeconds} s behind` : `${kind} standby`
    test(`the primary ${loss}: servers go on with its ${standby}, round ${round}`, { skip }, (t) =>
      failOver(t, kind, loss, clock, round % 2 === 0),
    )
  }

/** The two servers, their clients and their readers. */
async function startAll(t: TestContext, hosts: Cluster[], kind: Kind) {
  const places = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const environment = {
    ...localNetworks,
    DATABASE_URL: `postgres://backline@${places}/${database}?target_session_attrs=read-write`,
    BACKLINE_WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1,1,1',
  }
  const one = await startServer({ environment })
  const servers = [one, await startServer({ environment })]
  const { test: apiKey, live } = await one.firstKeys()
  const streams = servers.map(({ url }) => followStream(url, apiKey))
  await until('the streams begin', () => streams.every(({ connections }) => connections > 0))
  const unstreamed = new Set((await wholeFeed(one.url, apiKey)).map(({ id }) => id))
  const feeds = [...servers, one].map(({ url }) => followFeed(url, apiKey))
  const received = await receiveCreated(one.url, apiKey)
  const shared = await sharedConversations(one, apiKey)
  const loads = servers.map(({ url }, i) =>
    startLoad({
      ...{ url, apiKey, name: `server ${i}`, clients, shared: shared.ids, onSilence: 'fail' },
      writesToOwn: kind === 'synchronous', // an asynchronous standby may lack them
    }),
  )
  t.after(() => Promise.allSettled([...loads, ...feeds, ...streams].map((each) => each.stop())))
  return { servers, apiKey, received, shared, streams, unstreamed, feeds, loads, live }
}

/** Positions follow the clock of the database, so that of the primary is ahead as soon as they are. */
const advanceClock = (primary: Cluster) =>
  primary.rows(`update journal_heads
    set position = (extract(epoch from clock_timestamp()) * 1000000)::bigint + ${lateSeconds}000000`)

async function failOver(
  t: TestContext,
  kind: Kind,
  loss: Loss,
  clock: Clock,
  standbyFirst: boolean,
): Promise<void> {
  const primary = await startPrimary()
  const standby = await startStandby(primary, kind)
  const all = await startAll(t, standbyFirst ? [standby, primary] : [primary, standby], kind)
  const { servers, apiKey, received, shared, streams, unstreamed, feeds, loads, live } = all
  if (clock === 'late') await advanceClock(primary)
  for (const load of loads) await writesAreDone(load)
  const desks = servers.map(({ url }) => clientOf(url, live))
  const hold_reason_id = await holdReason(desks[0]!, { default_duration_seconds: holdSeconds })
  const held = await conversation(desks[0]!)
  await act(desks[1]!, held.id, 'hold', { hold_reason_id })

  if (kind === 'asynchronous') {
    await suspendReplication(primary)
    await sleep(behindMs)
  }
  if (loss === 'is killed') await primary.kill()
  else primary.freeze()
  for (const { refusals } of loads) await until('requests are refused', () => refusals.length > 4, patienceMs)
  for (const { url } of servers) {
    for (const path of ['/v1/conversations', '/v1/events', '/v1/events/stream', '/readyz'])
      assertUnavailable(await send(url, apiKey, 'GET', path))
    assert.equal((await fetch(`${url}/healthz`)).status, 200)
  }
  await sleep(awayMs)
  const promotedAt = performance.now()
  await standby.promote()
  const isBack = ({ answeredAt }: Write) => answeredAt !== null && answeredAt > promotedAt
  await until('writes are answered', () => loads.every(({ writes }) => writes.some(isBack)), patienceMs)
  const backMs = performance.now() - promotedAt
  for (const load of loads) await writesAreDone(load, patienceMs)
  await until('the hold has expired', async () => (await shown(desks[0]!, held.id)).status === 'open')
  for (const load of loads) await load.stop()
  for (const load of loads) assertRefusals(load)

  const writes = [...shared.writes, ...loads.flatMap((load) => load.writes)]
  const lost = await lostWrites(standby, writes)
  t.diagnostic(
    `${writes.filter(isAcknowledged).length} writes acknowledged, ${lost.length} of them lost; writes went on
    ${Math.round(backMs)} ms after the promotion began; ${loads.flatMap(({ refusals }) => refusals).length} refusals,
    longest answer ${Math.round(Math.max(...loads.map(({ longestMs }) => longestMs)))} ms`.replace(
      /\s+/g,
      ' ',
    ),
  )
  if (kind === 'synchronous') {
    assert.deepEqual(lost, [])
    for (const server of servers) await retryAll(server, apiKey, writes)
    for (const server of servers) await assertWritten(server, apiKey, standby.connection, writes)
  } else {
    assert.ok(lost.length > 0, 'the standby was not behind')
    for (const write of lost) {
      assert.ok(write.answeredAt! < promotedAt, `${write.mark} was acknowledged by the new primary`)
      const { status, text } = await attempt(servers[0]!.url, apiKey, write)
      assert.equal(status, 201, `${write.mark} could not be repeated: ${text}`)
    }
    assert.deepEqual(await lostWrites(standby, writes), [])
    await assertConsistent((text) => standby.rows(text))
  }

  const events = await wholeFeed(servers[1]!.url, apiKey)
  const streamed = events.filter(({ id }) => !unstreamed.has(id))
  const readers: [string, Follower, FeedEvent[]][] = [
    ...feeds.map((feed, i): [string, Follower, FeedEvent[]] => [`feed ${i}`, feed, events]),
    ...streams.map((stream, i): [string, Follower, FeedEvent[]] => [`stream ${i}`, stream, streamed]),
  ]
  const last = events.at(-1)!.id
  for (const [name, reader] of readers)
    await until(`${name} has read the last event`, () => reader.events.some(({ id }) => id === last))
  for (const [name, reader, expected] of readers) {
    await reader.stop()
    const phantoms = assertRead(name, reader, expected)
    if (kind === 'synchronous') assert.deepEqual(phantoms, [], `${name} has events that were not committed`)
  }
  assertOrdered(events)
  await assertDelivered(events, received)
  const audit = await sealed(clientOf(servers[0]!.url, apiKey))
  assert.partialDeepStrictEqual(audit, { valid: true, unsealed: 0, entries_checked: events.length })
  assert.equal(await hostOfDoctor(servers[0]!), `127.0.0.1:${standby.port}`)
  for (const server of servers) assert.deepEqual(await server.stop(), { code: 0, signal: null })
}

/** The host that `doctor` reports. */
async function hostOfDoctor({ environment }: ServerProcess): Promise<string> {
  const command = [process.execPath, 'packages/cli/src/main.ts', 'doctor', '--json'] as [string, ...string[]]
  const doctor = launch({ environment, command })
  await doctor.ended()
  const { checks } = JSON.parse(doctor.stdout)
  return checks.find(({ name }: { name: string }) => name === 'database').facts.host
}

/** The acknowledged writes that are not in the database, in which nothing is there twice. */
async function lostWrites(cluster: Cluster, writes: Write[]): Promise<Write[]> {
  const rows = await cluster.rows<{ mark: string; kind: string }>(
    `select body as mark, 'message' as kind from messages union all select e.external_id, 'conversation'
      from conversations c join end_users e on e.tenant_id = c.tenant_id and e.id = c.end_user_id`,
  )
  const there = new Set(rows.map(({ mark, kind }) => `${kind} ${mark}`))
  assert.equal(there.size, rows.length, 'a write was done twice')
  const isThere = ({ kind, mark }: Write) =>
    (kind === 'message' || there.has(`conversation ${mark}`)) &&
    (kind === 'conversation' || there.has(`message ${mark}`))
  return writes.filter((write) => isAcknowledged(write) && !isThere(write))
}

/**
 * Asserts that a reader has received each event of the database once, in their order.
 * @returns the ids of the other events that it has received: those that were lost with the primary
 */
function assertRead(name: string, { events: read }: Follower, events: FeedEvent[]): string[] {
  const ids = events.map(({ id }) => id)
  const readIds = read.map(({ id }) => id)
  const [existing, seen] = [new Set(ids), new Set(readIds)]
  assert.equal(seen.size, readIds.length, `${name} has received an event twice`)
  assert.deepEqual(
    ids.filter((id) => !seen.has(id)),
    [],
    `${name} has never received these events`,
  )
  assert.deepEqual(
    readIds.filter((id) => existing.has(id)),
    ids,
    `${name} has received events in another order`,
  )
  return readIds.filter((id) => !existing.has(id))
}
