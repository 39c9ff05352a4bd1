import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findRunning, startEmbedded } from '../../src/db/embedded/embedded.ts'
import { typeId } from '../../src/lib/ids.ts'
import { acknowledgement, type Load, type Reply, send, startLoad, type Write } from '../load.ts'
import { assertProblem } from '../problem-shape.ts'
import {
  cleanUp,
  killEverything,
  postmasterPid,
  type ServerProcess,
  startServer,
  temporaryDirectory,
  until,
} from '../processes.ts'

/*
 * What was answered with success is there, once, whatever is killed and whenever: the promise that idempotency
 * keys are about. Kill moments are random; the marks of the writes say which round they belong to.
 */

const clients = 16
/** BACKLINE_FAULT_ROUNDS=10 kills ten times as often. */
const rounds = Number(process.env.BACKLINE_FAULT_ROUNDS ?? 1)
const victims = ['everything', 'the server alone', 'PostgreSQL alone', 'everything'] as const

after(cleanUp)

test('nothing acknowledged is lost and nothing done twice when everything is killed under load', async (t) => {
  const dataDir = temporaryDirectory()
  let server = await startServer({ environment: { BACKLINE_DATA_DIR: dataDir } })
  const apiKey = (await server.firstKeys()).test
  const { environment } = server
  const shared = await sharedConversations(server, apiKey)
  const history = [...shared.writes]

  for (const victim of Array.from({ length: rounds }, () => victims).flat()) {
    const round = `round ${history.length}`
    let isOver = false
    await t.test(`${victim} is killed (${round})`, async (t) => {
      const load = startLoad({
        url: server.url,
        apiKey,
        name: round,
        clients,
        shared: shared.ids,
        onSilence: victim === 'PostgreSQL alone' ? 'fail' : 'end',
      })
      t.after(() => load.stop().catch(() => undefined))
      await until('some writes are done', () => load.writes.filter(isAcknowledged).length > 20)
      const delayMs = Math.floor(Math.random() * 1000)
      await sleep(delayMs)
      const done = load.writes.filter(isAcknowledged).length
      if (victim === 'PostgreSQL alone') {
        await killPostgresUnder(load, dataDir)
      } else {
        if (victim === 'everything') await killEverything(server, dataDir)
        else await server.stop('SIGKILL') // its PostgreSQL goes on as an orphan
        await load.stop()
        server = await startServer({ environment })
      }
      history.push(...load.writes)
      t.diagnostic(`killed ${delayMs} ms after the first writes: ${done} done, ${load.writes.length} tried`)
      await retryAll(server, apiKey, load.writes)
      await assertWritten(server, apiKey, dataDir, history)
      if (victim !== 'PostgreSQL alone') assert.equal(server.keys, null)
      isOver = true
    })
    if (!isOver) return // the rounds after a failed one would tell nothing
  }
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})

const isAcknowledged = (write: Write) => write.acknowledged !== null

/** Conversations that all clients write to, so that they meet on one row. */
async function sharedConversations(server: ServerProcess, apiKey: string) {
  const writes: Write[] = []
  for (const mark of ['shared 1', 'shared 2', 'shared 3']) {
    const write: Write = {
      key: `key ${mark}`,
      path: '/v1/conversations',
      body: { external_user_id: mark },
      mark,
      kind: 'conversation',
      acknowledged: null,
    }
    write.acknowledged = acknowledgement(await send(server.url, apiKey, 'POST', write.path, write))
    writes.push(write)
  }
  return { writes, ids: writes.map((write) => JSON.parse(write.acknowledged!.body).id as string) }
}

/** Kills the postmaster alone: requests are refused meanwhile and the server brings it back by itself. */
async function killPostgresUnder(load: Load, dataDir: string): Promise<void> {
  const killed = await postmasterPid(dataDir)
  process.kill(killed!, 'SIGKILL')
  await until('some requests are refused', () => load.refusals.length > 0)
  await until('another PostgreSQL runs', async () => {
    const pid = await postmasterPid(dataDir)
    return pid !== null && pid !== killed
  })
  const tried = load.writes.length
  await until('writes are done again', () => load.writes.slice(tried).filter(isAcknowledged).length > 20)
  await load.stop()
  for (const refusal of load.refusals) assertUnavailable(refusal)
}

function assertUnavailable(reply: Reply): void {
  assert.equal(reply.status, 503, reply.text)
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  const headers = new Map([...reply.headers].map(([name, value]) => [name, [value]]))
  const answer = { status: reply.status, headers, body: Buffer.from(reply.text) }
  assert.equal(assertProblem(answer, reply.headers.get('request-id')!).code, 'unavailable')
}

/** Repeats all writes under their keys, as clients do, and compares what they are told now with what they were told. */
async function retryAll(server: ServerProcess, apiKey: string, writes: Write[]): Promise<void> {
  const rest = writes.values()
  const work = async () => {
    for (const write of rest) {
      const reply = await until(`${write.mark} is done`, async () => {
        const reply = await send(server.url, apiKey, 'POST', write.path, write)
        if (reply.status === 201) return reply
        assert.ok([409, 503].includes(reply.status), `${write.mark}: ${reply.text}`)
        return null
      })
      const now = acknowledgement(reply)
      if (write.acknowledged) {
        assert.deepEqual(now, write.acknowledged, `${write.mark} is told something else`)
        assert.equal(reply.headers.get('idempotent-replayed'), 'true')
      }
      write.acknowledged = now
    }
  }
  await Promise.all(Array.from({ length: clients }, work))
}

/** Asserts that the writes, and nothing else, are there: in the API's lists, in the tables, in the journal. */
async function assertWritten(
  server: ServerProcess,
  apiKey: string,
  dataDir: string,
  writes: Write[],
): Promise<void> {
  const withConversation = writes.filter((write) => write.kind !== 'message')
  const withMessage = writes.filter((write) => write.kind !== 'conversation')
  const idOf = (write: Write) => JSON.parse(write.acknowledged!.body).id as string

  const listed = await walk(server, apiKey, '/v1/conversations')
  const byUser = new Map(listed.map((item) => [item.external_user_id, item.id]))
  assert.equal(listed.length, withConversation.length)
  for (const write of withConversation) assert.equal(byUser.get(write.mark), idOf(write), write.mark)

  const client = new pg.Client((await findRunning(dataDir))!)
  await client.connect()
  try {
    const rows = async (text: string): Promise<string[][]> =>
      (await client.query({ text, rowMode: 'array' })).rows
    const messages = await rows('select body, id from messages')
    assert.deepEqual(messages.map(([body]) => body).sort(), withMessage.map((write) => write.mark).sort())
    const byBody = new Map(messages as [string, string][])
    for (const write of withMessage.filter((each) => each.kind === 'message')) {
      assert.equal(typeId('msg', byBody.get(write.mark) ?? ''), idOf(write), write.mark)
    }
    const gaps = `select c.id, c.message_count, array_agg(m.sequence order by m.sequence) from conversations c
      left join messages m on m.tenant_id = c.tenant_id and m.conversation_id = c.id group by c.tenant_id, c.id
      having array_agg(m.sequence order by m.sequence) filter (where m.sequence is not null)
        is distinct from nullif(array(select generate_series(1, c.message_count)), '{}')`
    assert.deepEqual(await rows(gaps), [], 'sequences have no gap')
    // One event of its creation for each object, and none without an object.
    const events = `select coalesce(o.id, e.resource_id), count(o.id), count(e.resource_id)
      from (select id from conversations union all select id from messages) o
      full join (select resource_id from events where type in ('conversation.created', 'message.created')) e
        on e.resource_id = o.id
      group by 1 having count(o.id) <> 1 or count(e.resource_id) <> 1`
    assert.deepEqual(await rows(events), [], 'each object has one event')
    // One consumed key for each write, whose stored answer names what the write made.
    const keys = await rows("select key, body::json ->> 'id' from idempotency_keys")
    assert.deepEqual(
      keys.sort(),
      writes.map((write) => [write.key, idOf(write)]).sort(),
      'each key has its effect',
    )
  } finally {
    await client.end()
  }
}

async function walk(server: ServerProcess, apiKey: string, path: string): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const continued: string = cursor === '' ? '' : `&cursor=${cursor}`
    const { status, text } = await send(server.url, apiKey, 'GET', `${path}?limit=100${continued}`)
    assert.equal(status, 200, text)
    const page = JSON.parse(text)
    items.push(...page.data)
    cursor = page.next_cursor
  }
  return items
}

test('503 while the database is away, and all is well by itself when it is back', async (t) => {
  const dataDir = join(temporaryDirectory(), 'database')
  mkdirSync(dataDir)
  const start = () => startEmbedded({ dataDir, purpose: 'server', log: () => undefined })
  let database = await start()
  t.after(() => database.stop())
  const { host, user, port } = database.connection
  const url = `postgres://${user}@localhost:${port}/backline?host=${encodeURIComponent(host)}`
  const server = await startServer({ environment: { DATABASE_URL: url } })
  const apiKey = (await server.firstKeys()).live
  const readiness = async () => (await fetch(`${server.url}/readyz`)).status
  assert.equal(await readiness(), 200)

  const load = startLoad({ url: server.url, apiKey, name: 'away', clients, shared: [], onSilence: 'fail' })
  t.after(() => load.stop().catch(() => undefined))
  await until('some writes are done', () => load.writes.filter(isAcknowledged).length > 20)
  await database.stop()
  await until('requests are refused', () => load.refusals.length > clients)
  await until('the server is not ready', async () => (await readiness()) === 503)
  assert.equal((await fetch(`${server.url}/healthz`)).status, 200)
  for (const path of ['/v1/conversations', '/readyz'])
    assertUnavailable(await send(server.url, apiKey, 'GET', path))

  database = await start()
  await until('the server is ready again', async () => (await readiness()) === 200)
  const tried = load.writes.length
  await until('writes are done again', () => load.writes.slice(tried).filter(isAcknowledged).length > 20)
  await load.stop()
  for (const refusal of load.refusals) assertUnavailable(refusal)
  t.diagnostic(`${load.refusals.length} refusals, longest answer ${Math.round(load.longestMs)} ms`)
  await retryAll(server, apiKey, load.writes)
  await assertWritten(server, apiKey, dataDir, load.writes)
  assert.deepEqual(await server.stop(), { code: 0, signal: null })
})
