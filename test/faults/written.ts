import assert from 'node:assert/strict'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import pg from 'pg'
import { acknowledgement, attempt, type Load, type Reply, type Write, walk } from '../load.ts'
import { assertProblem } from '../problem-shape.ts'
import { patienceMs, type ServerProcess, until } from '../processes.ts'

/* Invariants of writes under any failure: each took effect exactly once, and nothing else did. */

const retriers = 16

export const isAcknowledged = (write: Write) => write.acknowledged !== null

export const idOf = (write: Write) => JSON.parse(write.acknowledged!.body).id as string

/** Conversations that all clients write to, so that they conflict on one row. */
export async function sharedConversations(server: ServerProcess, apiKey: string) {
  const writes: Write[] = []
  for (const mark of ['shared 1', 'shared 2', 'shared 3']) {
    const write: Write = {
      key: `key ${mark}`,
      path: '/v1/conversations',
      body: { external_user_id: mark },
      mark,
      kind: 'conversation',
      sentAt: null,
      answeredAt: null,
      acknowledged: null,
    }
    write.acknowledged = acknowledgement(await attempt(server.url, apiKey, write))
    writes.push(write)
  }
  return { writes, ids: writes.map((write) => JSON.parse(write.acknowledged!.body).id as string) }
}

/** Waits until writes succeed that began after this call. @param patience in milliseconds */
export async function writesAreDone(load: Load, patience = patienceMs): Promise<void> {
  const tried = load.writes.length
  await until('writes are done', () => load.writes.slice(tried).filter(isAcknowledged).length > 20, patience)
}

/** Asserts that a response is the contract's 503 `unavailable`. */
export function assertUnavailable(reply: Reply): void {
  assertRefusal(reply, 503, 'unavailable')
}

/** Asserts that a load received only retryable errors. A retry may conflict with its own first attempt. */
export function assertRefusals({ refusals }: Load): void {
  for (const refusal of refusals) {
    if (refusal.status === 409) assertRefusal(refusal, 409, 'idempotency_key_in_use')
    else assertUnavailable(refusal)
  }
}

function assertRefusal(reply: Reply, status: number, code: string): void {
  assert.equal(reply.status, status, reply.text)
  assert.match(reply.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  const headers = new Map([...reply.headers].map(([name, value]) => [name, [value]]))
  const answer = { status, headers, body: Buffer.from(reply.text) }
  assert.equal(assertProblem(answer, reply.headers.get('request-id')!).code, code)
}

/** Repeats all writes under their keys, as clients do, and compares the responses with the first ones. */
export async function retryAll(server: ServerProcess, apiKey: string, writes: Write[]): Promise<void> {
  const rest = writes.values()
  const work = async () => {
    for (const write of rest) {
      const reply = await until(`${write.mark} is done`, async () => {
        const reply = await attempt(server.url, apiKey, write)
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
  await Promise.all(Array.from({ length: retriers }, work))
}

/** Asserts that exactly these writes exist: in the API's lists, in the tables, in the journal. */
export async function assertWritten(
  server: ServerProcess,
  apiKey: string,
  connection: Connection,
  writes: Write[],
): Promise<void> {
  const withConversation = writes.filter((write) => write.kind !== 'message')
  const withMessage = writes.filter((write) => write.kind !== 'conversation')

  const listed = await walk(server.url, apiKey, '/v1/conversations')
  const byUser = new Map(listed.map((item) => [item.external_user_id, item.id]))
  assert.equal(listed.length, withConversation.length)
  for (const write of withConversation) assert.equal(byUser.get(write.mark), idOf(write), write.mark)

  const client = new pg.Client(connection as pg.ClientConfig)
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
    await assertConsistent(rows)
    // Each write has one stored key, whose response names the created object.
    const keys =
      await rows(`select k.key, coalesce(k.own_body::json, e.object) ->> 'id' from idempotency_keys k
      left join events e on e.tenant_id = k.tenant_id and e.id = k.event_id where k.key like 'key %'`)
    assert.deepEqual(
      keys.sort(),
      writes.map((write) => [write.key, idOf(write)]).sort(),
      'each key has its effect',
    )
  } finally {
    await client.end()
  }
}

/** Asserts that sequences have no gaps, and that each object has one event of its creation. */
export async function assertConsistent(rows: (text: string) => Promise<unknown[]>): Promise<void> {
  const gaps = `select c.id, c.message_count, array_agg(m.sequence order by m.sequence) from conversations c
    left join messages m on m.tenant_id = c.tenant_id and m.conversation_id = c.id group by c.tenant_id, c.id
    having array_agg(m.sequence order by m.sequence) filter (where m.sequence is not null)
      is distinct from nullif(array(select generate_series(1, c.message_count)), '{}')`
  assert.deepEqual(await rows(gaps), [], 'sequences have no gap')
  // Each object has one event of its creation, and each such event has an object.
  const events = `select coalesce(o.id, e.resource_id), count(o.id), count(e.resource_id)
    from (select id from conversations union all select id from messages) o
    full join (select resource_id from events where type in ('conversation.created', 'message.created')) e
      on e.resource_id = o.id
    group by 1 having count(o.id) <> 1 or count(e.resource_id) <> 1`
  assert.deepEqual(await rows(events), [], 'each object has one event')
}
