import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import pg from 'pg'
import { openJournalReader } from '../../../platform/journal/journal-reader.ts'
import type { Position } from '../../../platform/journal/positions.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { settledEvents } from './queries.ts'

const api = service()

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
    from = found.next_cursor
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

/** An event that a foreign transaction writes: a copy of the newest one. */
const writeEvent = (client: pg.Client, { environments }: World, type: string) =>
  client.query(
    `insert into events (tenant_id, ordinal, id, type, created_at, stream_id, resource_type, resource_id, resource_version,
       actor_type, object, previous)
     select tenant_id, 0, gen_random_uuid(), $2, created_at, stream_id, resource_type, resource_id, resource_version, actor_type,
       object, previous from events where tenant_id = $1 order by epoch desc, xid desc limit 1`,
    [environments.test.tenantId, type],
  )

describe('the feed', () => {
  test('shows what a change of each kind appended, oldest first, as the timeline does', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await say(test, id, 'end_user')
    await act(test, id, 'resolve')
    const { events } = await walk(test)
    const own = events.filter(({ type }) => !type.startsWith('api_key.'))
    assert.deepEqual(
      own.map(({ type }) => type),
      ['conversation.created', 'message.created', 'conversation.resolved'],
    )
    assert.deepEqual(own, (await test.get(`/v1/conversations/${id}/timeline`)).body.data)
  })

  test('the last page has a cursor, which leads to what has happened since and to nothing else', async () => {
    const { test } = await api.world()
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

  test('a cursor is a place: it continues with any filters, on the feed and on the stream', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const { next_cursor: cursor } = await page(test, `resource_id=${id}`)
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
    await api.db.write(sql`insert into events (tenant_id, ordinal, id, type, created_at, stream_id, resource_type, resource_id,
        resource_version, actor_type, object, previous)
      select tenant_id, n, gen_random_uuid(), 'tag.updated', created_at, stream_id, resource_type, resource_id, resource_version,
        actor_type, object, previous from (select * from events where tenant_id = ${tenantId} order by epoch, xid limit 1) one,
        generate_series(1, 25000) n`)
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
    await api.db.write(sql`insert into journal_floors (tenant_id, epoch, xid, ordinal)
      select tenant_id, epoch, xid, ordinal from events where tenant_id = ${environments.test.tenantId}
      order by epoch desc, xid desc offset 1 limit 1`)
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

describe('transactions that are open for long', () => {
  test('what commits after a later one is not skipped: the later one waits for it', async () => {
    const world = await api.world()
    const { test } = world
    await conversation(test)
    const { cursor } = await walk(test)
    await holding(async (client) => {
      await client.query('begin')
      await writeEvent(client, world, 'tag.created')
      await conversation(test)
      await conversation(test)
      assert.deepEqual((await walk(test, cursor)).events, [])
      await client.query('commit')
    })
    const { events } = await walk(test, cursor)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['tag.created', 'conversation.created', 'conversation.created'],
    )
  })

  test('one that is rolled back leaves nothing and holds up nothing', async () => {
    const world = await api.world()
    await conversation(world.test)
    const { cursor } = await walk(world.test)
    await holding(async (client) => {
      await client.query('begin')
      await writeEvent(client, world, 'tag.created')
      await conversation(world.test)
      await client.query('rollback')
    })
    assert.equal((await walk(world.test, cursor)).events.length, 1)
  })

  test('one of somebody else, who writes no events, does not freeze the feed, and lets nothing be skipped', async () => {
    const world = await api.world()
    const { test } = world
    await conversation(test)
    let { cursor } = await walk(test)
    await holding(async (foreign) => {
      await foreign.query('begin')
      await foreign.query('select pg_current_xact_id()')
      const { id } = await conversation(test)
      await until('the feed goes on', async () => (await walk(test, cursor)).events[0]?.resource.id === id)
      ;({ cursor } = await walk(test, cursor))
      // Meanwhile a transaction that writes events counts as before.
      await holding(async (writer) => {
        await writer.query('begin')
        await writeEvent(writer, world, 'tag.created')
        await conversation(test)
        assert.deepEqual((await walk(test, cursor)).events, [])
        await writer.query('commit')
      })
      await until('both are there', async () => (await walk(test, cursor)).events.length === 2)
      await foreign.query('commit')
    })
    assert.deepEqual(
      (await walk(test, cursor)).events.map(({ type }) => type),
      ['tag.created', 'conversation.created'],
    )
  })

  test('who begins to write while somebody else holds a transaction open is never passed', async () => {
    const { tenantId } = (await api.world()).environments.test
    const reader = openJournalReader(api.db)
    const seen = new Set<string>()
    let at: Position | null = null
    let writing = true
    const read = async () => {
      const { rows: found } = await settledEvents(
        api.db,
        { tenantId, kind: 'test' },
        at,
        await reader.settled(),
        5_000,
      )
      for (const { id } of found) seen.add(id)
      at = found.at(-1) ?? at
      return found.length
    }
    const write = (client: pg.Client) =>
      client.query(`do $$ begin for i in 1..300 loop
        insert into events (tenant_id, ordinal, id, type, created_at, stream_id, resource_type, resource_id, resource_version,
          actor_type, object, previous)
        values ('${tenantId}', 0, gen_random_uuid(), 'tag.created', now(), '${tenantId}', 'tag', '${tenantId}', 1, 'system', '{}', '{}');
        commit; end loop; end $$`)
    await holding(async (foreign) => {
      await foreign.query('begin')
      await foreign.query('select pg_current_xact_id()')
      await until('it is seen through', async () => {
        const { xid, next } = await reader.settled()
        return xid === next
      })
      const following = (async () => {
        while (writing) await read()
      })()
      const writers = Array.from({ length: 16 }, () =>
        holding(async (client) => {
          for (let i = 0; i < 5; i++) await write(client)
        }),
      )
      await Promise.all(writers)
      writing = false
      await following
      await foreign.query('commit')
    })
    await reader.caughtUp(1_000)
    while ((await read()) > 0);
    const horizon = await reader.caughtUp(1_000)
    const all = await settledEvents(api.db, { tenantId, kind: 'test' }, null, horizon, 100_000)
    const unseen = all.rows.filter(({ id }) => !seen.has(id))
    assert.ok(seen.size > 20_000)
    assert.equal(unseen.length, 0)
  })
})
