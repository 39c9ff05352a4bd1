import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { appendCopies } from '@backline/test/journal-fixtures.ts'
import { until } from '@backline/test/processes.ts'
import { rounds } from '@backline/test/thorough.ts'
import pg from 'pg'
import type { Position } from '../../../platform/journal/positions.ts'
import { toInstant } from '../../../platform/kernel/clock.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import { compile, sql } from '../../../platform/postgres/sql.ts'
import { compilePlans } from '../../../platform/unit-of-work/plan.ts'
import { eventsAfter } from './queries.ts'

const api = service()
/** The transactions of each writer. */
const transactions = rounds(600, 150)

const page = async (client: Client, query = ''): Promise<Body> =>
  succeeded(await client.get(`/v1/events?limit=100&${query}`))

/** All events after a cursor, and the cursor to continue with. */
async function walk(
  client: Client,
  cursor?: string,
  query = '',
): Promise<{ events: Body[]; cursor: string }> {
  const events: Body[] = []
  for (let from = cursor; ; ) {
    const found = await page(client, `${query}&${from ? `cursor=${from}` : ''}`)
    events.push(...found.data)
    from = found.resume_cursor
    if (!found.has_more) return { events, cursor: from! }
  }
}

const idsOf = (events: Body[]): string[] => events.map(({ id }) => id)

/** A connection on which a transaction can stay open. */
async function holding(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(
    typeof api.connection === 'string' ? { connectionString: api.connection } : api.connection,
  )
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** Writes an event of each type as servers do. */
async function writeEvents(client: pg.Client, { environments }: World, types: string[]): Promise<void> {
  const { tenantId } = environments.test
  const origin = {
    now: toInstant(api.now()),
    actor: { type: 'system', id: null, operator_id: null } as const,
    request: null,
  }
  const subject = {
    streamId: tenantId,
    resourceType: 'tag',
    resourceId: tenantId,
    resourceVersion: 1,
    object: '{}',
    previous: '{}',
    audited: null,
    related: null,
    origin,
  }
  const events = types.map((type) => ({ ...subject, id: newUuid(api.now()), type }))
  for (const { statement } of compilePlans([[{ tenantId, parts: [], events, key: null }]]))
    await client.query(compile(statement))
}

describe('the feed', () => {
  test('shows what a change of each kind appended, oldest first, as the timeline does', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await say(test, id, 'end_user')
    await act(test, id, 'resolve')
    const { events } = await walk(test)
    const own = events.filter(({ type }) => !/^(api_key|end_user)\./.test(type))
    assert.deepEqual(
      own.map(({ type }) => type),
      ['conversation.created', 'message.created', 'conversation.resolved'],
    )
    assert.deepEqual(own, (await test.get(`/v1/conversations/${id}/timeline`)).body.data)
  })

  test('the last page has a cursor, which leads to what has happened since and to nothing else', async () => {
    const { test } = await api.world()
    await conversation(test) // creates the end user
    const first = await walk(test)
    assert.deepEqual((await walk(test, first.cursor)).events, [])
    const { id } = await conversation(test)
    const second = await walk(test, first.cursor)
    assert.deepEqual(
      second.events.map(({ resource }) => resource.id),
      [id],
    )
    assert.deepEqual((await walk(test, second.cursor)).events, [])
  })

  test('filters by types, by all of a resource, and by one resource', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const message = await say(test, id, 'end_user')
    await conversation(test)
    await act(test, id, 'resolve')
    const types = async (query: string) => (await walk(test, undefined, query)).events.map(({ type }) => type)
    assert.deepEqual(await types('types=conversation.resolved'), ['conversation.resolved'])
    assert.deepEqual(await types('types=message.*,conversation.resolved'), [
      'message.created',
      'conversation.resolved',
    ])
    assert.deepEqual(await types(`resource_id=${id}`), ['conversation.created', 'conversation.resolved'])
    assert.deepEqual(await types(`resource_id=${message.id}`), ['message.created'])
    assert.deepEqual(await types(`resource_id=${id}&types=conversation.created`), ['conversation.created'])
    assert.deepEqual(await types('resource_id=tag_01kah1vgm0e1tbm5ye8n2m9q7c'), [])
    const ofBoth = ['conversation.created', 'message.created', 'conversation.resolved']
    assert.deepEqual(await types(`conversation_id=${id}`), ofBoth)
    assert.deepEqual(await types(`conversation_id=${id}&types=message.*`), ['message.created'])
    assert.deepEqual(await types(`conversation_id=${id}&resource_id=${message.id}`), ['message.created'])
    assert.deepEqual(
      await types(`conversation_id=${(await conversation(test)).id}&resource_id=${message.id}`),
      [],
    )
    assert.equal((await types('types=*')).length, (await types('')).length)
  })

  test('`from=now` is the present end, before which nothing and after which everything is listed', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const now = await page(test, 'from=now')
    const { resume_cursor: cursor, ...rest } = now
    assert.deepEqual(rest, { object: 'list', data: [], has_more: false, next_cursor: null })
    await act(test, id, 'resolve')
    assert.deepEqual(
      (await walk(test, cursor)).events.map(({ type }) => type),
      ['conversation.resolved'],
    )
    const both = await test.get(`/v1/events?from=now&cursor=${cursor}`)
    assert.deepEqual([both.status, both.body.code], [400, 'invalid_query'])
    assert.partialDeepStrictEqual(both.body.errors, [{ parameter: 'from', code: 'not_allowed' }])
  })

  test('a cursor is a place: it continues with any filters, on the feed and on the stream', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { resume_cursor: cursor } = await page(test, `resource_id=${id}`)
    await say(test, id, 'end_user')
    await act(test, id, 'resolve')
    const types = async (query: string) => (await walk(test, cursor, query)).events.map(({ type }) => type)
    assert.deepEqual(await types(''), ['message.created', 'conversation.resolved'])
    assert.deepEqual(await types('types=message.*'), ['message.created'])
    assert.deepEqual(await types(`conversation_id=${id}&types=conversation.*`), ['conversation.resolved'])
  })

  test('one event is found by its id, in its own environment', async () => {
    const { test, live } = await api.world()
    await conversation(test)
    const { data } = await page(test)
    for (const event of data) assert.deepEqual((await test.get(`/v1/events/${event.id}`)).body, event)
    assert.equal((await live.get(`/v1/events/${data[0].id}`)).body.code, 'not_found')
    assert.equal((await test.get('/v1/events/evt_01kah1vgm0e1tbm5ye8n2m9q7c')).status, 404)
    assert.equal((await test.get('/v1/events/evt_7zzzzzzzzzzzzzzzzzzzzzzzzz')).status, 404)
  })

  test('a filter that lets little through reads on: behind ten thousand others there is the one', async () => {
    const { test, environments } = await api.world()
    await conversation(test)
    const { tenantId } = environments.test
    await appendCopies(api.db, tenantId, 25_000, 'tag.updated')
    const { id } = await conversation(test)
    const { events, cursor } = await walk(test, undefined, 'types=conversation.created')
    assert.equal(events.at(-1)!.resource.id, id)
    assert.equal(events.length, 2)
    assert.deepEqual((await walk(test, cursor, 'types=conversation.created')).events, [])
    assert.equal((await page(test, 'include=total')).total_is_capped, true)
  })

  test('400 that lists what is possible, for a type that there is not', async () => {
    const { test } = await api.world()
    const { status, body } = await test.get('/v1/events?types=conversation.exploded')
    assert.deepEqual([status, body.code], [400, 'invalid_query'])
    assert.equal(body.errors[0].parameter, 'types')
    assert.match(body.errors[0].detail, /\bconversation\.resolved\b/)
    const detail = async (types: string) =>
      (await test.get(`/v1/events?types=${types}`)).body.errors[0].detail
    assert.match(await detail('conversation.create'), /did you mean conversation\.created\?$/)
    assert.match(await detail('mesage.created'), /did you mean message\.created\?$/)
  })

  test('400 for a cursor after which events are not kept any more: nobody believes to have seen them', async () => {
    const { test, environments } = await api.world()
    const { cursor } = await walk(test)
    await conversation(test)
    await conversation(test)
    await api.db.write(sql`insert into journal_floors (tenant_id, epoch, position, ordinal)
      select tenant_id, epoch, position, ordinal from events where tenant_id = ${environments.test.tenantId}
      order by epoch desc, position desc offset 1 limit 1`)
    const { status, body } = await test.get(`/v1/events?cursor=${cursor}`)
    assert.deepEqual([status, body.code, body.params.reason], [400, 'cursor_invalid', 'expired'])
    assert.equal((await walk(test)).events.length, 1)
  })

  test('a follower sees every event once, and in one order, while many write', async () => {
    const { test } = await api.world()
    const seen: string[] = []
    let { cursor } = await walk(test)
    const start = cursor
    let writing = true
    const follower = (async () => {
      for (let last = false; ; ) {
        const found = await walk(test, cursor)
        seen.push(...idsOf(found.events))
        cursor = found.cursor
        if (last) return
        last = !writing
      }
    })()
    const writer = async () => {
      for (let i = 0; i < 25; i++) {
        const { id } = await conversation(test)
        await say(test, id, 'operator', { visibility: 'internal' }).catch(() => undefined)
      }
    }
    await Promise.all(Array.from({ length: 8 }, writer))
    writing = false
    await follower
    const all = idsOf((await walk(test, start)).events)
    assert.ok(all.length >= 200)
    assert.deepEqual(seen, all)
  })
})

describe('concurrent transactions', () => {
  test('writes wait for an open transaction that has written events, and come after it', async () => {
    const world = await api.world()
    const { test } = world
    await conversation(test)
    const { cursor } = await walk(test)
    await holding(async (client) => {
      await client.query('begin')
      await writeEvents(client, world, ['tag.created'])
      let done = 0
      const writes = [conversation(test), conversation(test)].map((write) => write.then(() => done++))
      await until('they wait', async () => (await waiting()) > 0)
      assert.equal(done, 0)
      assert.deepEqual((await walk(test, cursor)).events, [])
      await client.query('commit')
      await Promise.all(writes)
    })
    const { events } = await walk(test, cursor)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['tag.created', 'conversation.created', 'conversation.created'],
    )
  })

  test('a write that waits for a transaction succeeds when that is rolled back', async () => {
    const world = await api.world()
    await conversation(world.test)
    const { cursor } = await walk(world.test)
    await holding(async (client) => {
      await client.query('begin')
      await writeEvents(client, world, ['tag.created'])
      const write = conversation(world.test)
      await until('it waits', async () => (await waiting()) > 0)
      await client.query('rollback')
      await write
    })
    assert.equal((await walk(world.test, cursor)).events.length, 1)
  })

  test('one that has written other rows and stays open does not delay events', async () => {
    const { test } = await api.world()
    await conversation(test) // creates the end user
    const { cursor } = await walk(test)
    await holding(async (foreign) => {
      await foreign.query('begin')
      await foreign.query('create table open_for_long ()')
      const { id } = await conversation(test)
      assert.equal((await walk(test, cursor)).events[0]?.resource.id, id)
      await foreign.query('rollback')
    })
  })

  test('no reader misses an event or sees one twice, while writers commit and roll back', async () => {
    const world = await api.world()
    const { tenantId, kind } = world.environments.test
    const before = idsOf((await walk(world.test)).events)
    let writing = true
    const write = async (client: pg.Client, turn: number) => {
      await client.query('begin')
      await writeEvents(client, world, ['tag.created', 'tag.updated'])
      await client.query(turn % 17 === 0 ? 'rollback' : 'commit')
    }
    const read = async () => {
      const seen: string[] = []
      let from: Position | null = null
      for (let last = false; ; last = !writing) {
        const { rows, hasMore } = await eventsAfter(api.db, { tenantId, kind }, from, 1_000)
        seen.push(...rows.map(({ id }) => id))
        from = rows.at(-1) ?? from
        if (last && !hasMore) return seen
      }
    }
    const readers = Array.from({ length: 8 }, read)
    const writers = Array.from({ length: 6 }, () =>
      holding(async (client) => {
        for (let i = 0; i < transactions; i++) await write(client, i)
      }),
    )
    await Promise.all(writers)
    writing = false
    const all = await api.db.rows<{ id: string }>(
      sql`select id from events where tenant_id = ${tenantId} order by epoch, position, ordinal`,
    )
    const committed = 6 * (transactions - Math.ceil(transactions / 17))
    assert.equal(all.length, before.length + 2 * committed)
    for (const seen of await Promise.all(readers)) assert.deepEqual(seen, idsOf(all))
  })
})

/** The number of statements of this database that wait for a lock. */
const waiting = async (): Promise<number> => {
  const rows = await api.db.rows(
    sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  )
  return rows.length
}
