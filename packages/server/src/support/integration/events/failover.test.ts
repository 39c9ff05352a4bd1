import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, conversation, succeeded } from '@backline/test/desk.ts'
import { type Another, type Client, service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { endOfJournal } from '../../../platform/journal/heads.ts'
import type { Position } from '../../../platform/journal/positions.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/*
 * Failovers to a server that lacks the latest events, and whose clock is behind: the events are removed, and the head
 * is lowered. The clock of the former server was two minutes ahead.
 */

const api = service({})
const aheadMicroseconds = 120_000_000

/** A journal whose positions are ahead of the clock. Returns the end that a standby has. */
async function aheadOfClock({ environments }: World): Promise<Position> {
  const { tenantId } = environments.test
  await api.db.write(
    sql`update journal_heads set position = (extract(epoch from now()) * 1000000)::bigint + ${aheadMicroseconds}::bigint
      where tenant_id = ${tenantId}`,
  )
  return endOfJournal(api.db, tenantId)
}

/** Loses the events after a position. */
async function failOver({ environments }: World, { position }: Position): Promise<void> {
  const { tenantId } = environments.test
  await api.db.write(
    sql`delete from events where tenant_id = ${tenantId} and position > ${position}::text::xid8`,
  )
  const behind = position - aheadMicroseconds
  await api.db.write(sql`update journal_heads set position = ${behind}::bigint where tenant_id = ${tenantId}`)
}

const headOf = async ({ environments }: World): Promise<number> =>
  (await endOfJournal(api.db, environments.test.tenantId)).position

const read = async (client: Client, path: string) => succeeded(await client.get(path))

/** Reads the stream until it is closed. */
function streamOf(url: string, key: string, headers: Record<string, string>) {
  const controller = new AbortController()
  const state = { text: '', close: () => controller.abort() }
  void fetch(`${url}/v1/events/stream`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: controller.signal,
  })
    .then(async ({ body }) => {
      for await (const text of body!.pipeThrough(new TextDecoderStream())) state.text += text
    })
    .catch(() => undefined)
  return state
}

test('a cursor that is not beyond the head writes nothing', async () => {
  const world = await api.world()
  await conversation(world.test)
  const { resume_cursor } = await read(world.test, '/v1/events?limit=100')
  const { tenantId } = world.environments.test
  const version = async () =>
    (await api.db.rows(sql`select xmin::text from journal_heads where tenant_id = ${tenantId}`))[0]
  const before = await version()
  assert.deepEqual((await read(world.test, `/v1/events?cursor=${resume_cursor}`)).data, [])
  assert.deepEqual(await version(), before)
})

describe('after a failover to a server whose clock is behind', () => {
  test('the events that a process writes follow the positions that it has shown', async () => {
    const world = await api.world()
    const former = await aheadOfClock(world)
    await conversation(world.test)
    const { resume_cursor } = await read(world.test, '/v1/events?limit=100')
    await failOver(world, former)
    const { id } = await conversation(world.test)
    const { data } = await read(world.test, `/v1/events?cursor=${resume_cursor}`)
    assert.deepEqual(
      data.map(({ type, resource }: { type: string; resource: { id: string } }) => [type, resource.id]),
      [['conversation.created', id]],
    )
  })

  /** The ways to present a position beyond the head. Each reads a cursor, and returns the path to continue with. */
  const readers: [name: string, present: (client: Client, conversationId: string) => Promise<string>][] = [
    ['the feed', async (client) => `/v1/events?cursor=${await cursorOf(client, '/v1/events?limit=100')}`],
    [
      'a filtered feed',
      async (client) =>
        `/v1/events?types=tag.*&cursor=${await cursorOf(client, '/v1/events?types=tag.*&limit=100')}`,
    ],
    [
      'the audit log',
      async (client) => {
        const { data } = await read(client, '/v1/audit_log?sort=commit&limit=100')
        const path = `/v1/audit_log?sort=commit&limit=${data.length - 1}`
        return `${path}&cursor=${await cursorOf(client, path)}`
      },
    ],
    [
      'the timeline of a conversation',
      async (client, id) => {
        const path = `/v1/conversations/${id}/timeline?limit=2`
        return `${path}&cursor=${await cursorOf(client, path)}`
      },
    ],
  ]
  const cursorOf = async (client: Client, path: string): Promise<string> =>
    (({ resume_cursor, next_cursor }) => resume_cursor ?? next_cursor)(await read(client, path))

  /** A process that does not know the positions that the other one has shown. */
  async function withNewProcess(use: (other: Another) => Promise<void>): Promise<void> {
    const other = await api.another()
    await use(other).finally(() => other.stop())
  }

  for (const [name, present] of readers)
    test(`a cursor of ${name} raises the head, also when it is used ten times at once`, async () => {
      const world = await api.world()
      const former = await aheadOfClock(world)
      const { id } = await conversation(world.test)
      await act(world.test, id, 'resolve')
      await act(world.test, id, 'reopen')
      const path = await present(world.test, id)
      await failOver(world, former)
      await withNewProcess(async (other) => {
        const client = other.client(world.test.key)
        const pages = await Promise.all(Array.from({ length: 10 }, () => read(client, path)))
        assert.ok(pages.every(({ data }) => data.length === 0))
        assert.ok((await headOf(world)) > former.position)
      })
    })

  test('a stream that goes on after a cursor raises the head before it begins', async () => {
    const world = await api.world()
    const former = await aheadOfClock(world)
    await conversation(world.test)
    const cursor = await cursorOf(world.test, '/v1/events?limit=100')
    await failOver(world, former)
    await withNewProcess(async (other) => {
      const stream = streamOf(other.url, world.test.key, { 'last-event-id': cursor })
      await until('it is connected', async () => stream.text.includes(': connected'))
      const { id } = await conversation(other.client(world.test.key))
      await until('the event arrives', async () => stream.text.includes(id))
      stream.close()
    })
  })

  test('a stream that stays open raises the head when connections are lost', async () => {
    const world = await api.world()
    const former = await aheadOfClock(world)
    const stream = streamOf(api.url, world.test.key, {})
    await until('it is connected', async () => stream.text.includes(': connected'))
    const lost = await conversation(world.test)
    await until('an event arrives that is lost', async () => stream.text.includes(lost.id))
    await failOver(world, former)
    const [self] = await api.db.write<{ name: string }>(sql`select current_database() as name`)
    await api.db
      .write(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${self!.name}::name and pid <> pg_backend_pid()`,
      )
      .catch(() => undefined)
    await until('the head is raised', async () => (await headOf(world).catch(() => 0)) > former.position)
    await withNewProcess(async (other) => {
      const { id } = await conversation(other.client(world.test.key))
      await until('the event arrives', async () => stream.text.includes(id))
    })
    stream.close()
  })
})
