import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entriesOf, entryOf, eventOf, exportOf, moreEvents } from '@backline/test/audit.ts'
import { act, type Body, conversation, operator, say, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { interceptHomes } from '@backline/test/intercept.ts'
import { Random, seedOf } from '@backline/test/random.ts'
import { rounds } from '@backline/test/thorough.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service()

const idsOf = (entries: Body[]) => entries.map(({ id }) => id)
const actionsOf = (entries: Body[]) => entries.map(({ action }) => action)

describe('the audit log', () => {
  test('says who did what to what, from where, and what it changed', async () => {
    const { live } = await api.world()
    const ada = await operator(live)
    const { id } = await conversation(live)
    const answer = await live.patch(
      `/v1/conversations/${id}`,
      { priority: 'high', metadata: { plan: 'pro' } },
      { 'user-agent': 'acme-desk/2.4', 'backline-operator': ada },
    )
    const { id: keyId } = (await live.get('/v1/api_keys')).body.data[0]
    const [entry, creation] = (await live.get('/v1/audit_log')).body.data
    const { data: events } = (await live.get('/v1/events')).body
    assert.deepEqual(Object.keys(entry), [
      'id',
      'object',
      'action',
      'actor',
      'target',
      'changes',
      'request_id',
      'ip',
      'user_agent',
      'created_at',
    ])
    assert.deepEqual(entry, {
      id: events.at(-1).id.replace('evt_', 'aud_'),
      object: 'audit_entry',
      action: 'conversation.updated',
      actor: { type: 'api_key', id: keyId, operator_id: ada },
      target: { type: 'conversation', id },
      changes: {
        priority: { from: 'normal', to: 'high' },
        metadata: { from: {}, to: { plan: 'pro' } },
      },
      request_id: answer.headers.get('request-id'),
      ip: '127.0.0.1',
      user_agent: 'acme-desk/2.4',
      created_at: answer.body.updated_at,
    })
    assert.partialDeepStrictEqual(creation, { action: 'conversation.created', changes: {} })
  })

  test('what the server did by itself has no request', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    await act(test, id, 'resolve')
    succeeded(await test.post('/v1/test_clock/advance', { seconds: 8 * 86_400 }))
    const [closed] = await entriesOf(test, { target_id: id })
    assert.partialDeepStrictEqual(closed, {
      action: 'conversation.closed',
      actor: { type: 'system', id: null, operator_id: null },
      request_id: null,
      ip: null,
      user_agent: null,
    })
  })

  test('is in the order of the journal, newest first unless asked otherwise', async () => {
    const { live } = await api.world()
    for (let i = 0; i < 5; i++) await conversation(live, { message: { body: 'Hello' } })
    const { data: events } = (await live.get('/v1/events?limit=100')).body
    const inOrder = events.map((event: Body) => event.id.replace('evt_', 'aud_'))
    assert.deepEqual(idsOf(await entriesOf(live, { limit: '3', sort: 'commit' })), inOrder)
    assert.deepEqual(idsOf(await entriesOf(live, { limit: '3' })), inOrder.toReversed())
  })

  test('of an actor, be it a key or the operator it acted for', async () => {
    const world = await api.world()
    const { test } = world
    const other = await world.withScopes('*')
    const [ada, ben] = [await operator(test), await operator(test)]
    await other.post('/v1/tags', { name: 'one' }, { 'backline-operator': ada })
    await test.post('/v1/tags', { name: 'two' }, { 'backline-operator': ada })
    await test.post('/v1/tags', { name: 'three' }, { 'backline-operator': ben })
    const all = await entriesOf(test)
    const otherKey = all.find(({ actor }) => actor.operator_id === ada && actor.id !== all[0].actor.id).actor
      .id
    assert.deepEqual(actionsOf(await entriesOf(test, { actor_id: otherKey })), ['tag.created'])
    assert.deepEqual(actionsOf(await entriesOf(test, { actor_id: ada })), ['tag.created', 'tag.created'])
    assert.deepEqual(actionsOf(await entriesOf(test, { actor_id: ben })), ['tag.created'])
    assert.deepEqual(await entriesOf(test, { actor_id: ben, action: 'tag.updated' }), [])
    assert.equal((await test.get('/v1/audit_log?actor_id=tag_01kah1vgm0e1tbm5ye8n2m9q7c')).status, 400)
  })

  test('of an action, by the names that the feed knows', async () => {
    const { live } = await api.world()
    const { id } = await conversation(live, { message: { body: 'Hello' }, tags: ['vip'] })
    await act(live, id, 'resolve')
    const of = async (action: string) => actionsOf(await entriesOf(live, { action, sort: 'commit' })).sort()
    assert.deepEqual(await of('conversation.resolved'), ['conversation.resolved'])
    assert.deepEqual(await of('tag.*,message.created'), ['message.created', 'tag.created'])
    assert.deepEqual(await of('conversation.*'), ['conversation.created', 'conversation.resolved'])
    assert.deepEqual(await of('*'), actionsOf(await entriesOf(live)).sort())
    const { status, body } = await live.get('/v1/audit_log?action=conversation.exploded')
    assert.equal(status, 400)
    assert.partialDeepStrictEqual(body, { code: 'invalid_query', errors: [{ parameter: 'action' }] })
    assert.equal((await live.get('/v1/audit_log/export?action=conversation.exploded')).status, 400)
  })

  test('of a target, also of one that is there no more', async () => {
    const { live } = await api.world()
    const { id } = await conversation(live)
    const message = await say(live, id, 'end_user')
    await say(live, id, 'end_user')
    const { id: tag } = succeeded(await live.post('/v1/tags', { name: 'short-lived' }))
    succeeded(await live.delete(`/v1/tags/${tag}`))
    const of = async (target_id: string) => actionsOf(await entriesOf(live, { target_id, sort: 'commit' }))
    assert.deepEqual(await of(message.id), ['message.created'])
    assert.deepEqual(await of(tag), ['tag.created', 'tag.deleted'])
    assert.equal((await of(id))[0], 'conversation.created')
    assert.ok((await of(id)).every((action: string) => action.startsWith('conversation.')))
  })

  test('of a time, exactly, where the order of the journal is not quite that of times', async (t) => {
    const { live, environments } = await api.world()
    const { tenantId } = environments.live
    const random = new Random(seedOf(t))
    // Two clusters, transactions with gaps between them, of many events or one, and clocks that differ by up to a
    // minute.
    let atMs = Date.parse('2026-03-01T00:00:00Z')
    const events: { epoch: number; position: number; ordinal: number; at: string }[] = []
    for (const [epoch, count] of [
      [-1, 40],
      [0, 60],
    ] as const) {
      for (let position = 10, made = 0; made < count; position += random.between(1, 50)) {
        const size = random.chance(0.1) ? 20 : 1
        for (let ordinal = 0; ordinal < size; ordinal++, made++) {
          atMs += random.chance(0.1) ? random.below(10_000_000) : random.below(10_000)
          events.push({ epoch, position, ordinal, at: new Date(atMs - random.below(60_000)).toISOString() })
        }
      }
    }
    const column = (name: 'epoch' | 'position' | 'ordinal' | 'at') => events.map((event) => event[name])
    await api.db.write(sql`insert into events (tenant_id, epoch, position, ordinal, id, type, created_at, stream_id, resource_type,
        resource_id, resource_version, actor_type, object, previous)
      select ${tenantId}, e.epoch, e.position::text::xid8, e.ordinal, gen_random_uuid(), 'tag.created', e.at, ${tenantId}, 'tag', ${tenantId}, 1, 'system', '{}', '{}'
      from unnest(${column('epoch')}::integer[], ${column('position')}::bigint[], ${column('ordinal')}::integer[], ${column('at')}::timestamptz[])
        as e (epoch, position, ordinal, at)`)
    const all = await entriesOf(live)
    assert.ok(all.length >= 100)
    const moments = all.map(({ created_at }) => created_at as string)
    for (let round = 0; round < 30; round++) {
      const shifted = (at: string) => new Date(Date.parse(at) + random.between(-1, 1)).toISOString()
      const [from, to] = [shifted(random.pick(moments)), shifted(random.pick(moments))].sort() as [
        string,
        string,
      ]
      const query = {
        ...(random.chance(0.8) ? { created_after: from } : {}),
        ...(random.chance(0.8) ? { created_before: to } : {}),
      }
      const expected = all.filter(
        ({ created_at: at }) => at > (query.created_after ?? '') && at < (query.created_before ?? '9'),
      )
      assert.deepEqual(idsOf(await entriesOf(live, query)), idsOf(expected), JSON.stringify(query))
    }
    for (const query of [
      { created_before: '0001-01-01T00:00:00Z' },
      { created_after: '9999-12-31T23:59:59.999Z' },
    ])
      assert.deepEqual(await entriesOf(live, query as never), [])
    for (const query of [
      { created_after: '0001-01-01T00:00:00Z' },
      { created_before: '9999-12-31T23:59:59.999Z' },
    ])
      assert.equal((await entriesOf(live, query as never)).length, all.length)
  })

  test('finds what is rare in a long log, page by page', async (t) => {
    const { live, environments } = await api.world()
    const { tenantId } = environments.live
    const rare: string[] = []
    for (let i = 0; i < 3; i++) {
      const { id } = succeeded(await live.post('/v1/hold_reasons', { name: `Reason ${i}` }))
      rare.unshift(id)
      await conversation(live)
      await moreEvents(api, tenantId, 12_000)
    }
    const query = { action: 'hold_reason.created' }
    assert.deepEqual(
      (await entriesOf(live, query)).map(({ target }) => target.id),
      rare,
    )
    const { data, total } = (await live.get('/v1/audit_log?action=hold_reason.*&limit=1&include=total')).body
    assert.equal(data[0].target.id, rare[0])
    assert.equal(total, 3)
    assert.equal((await live.get('/v1/audit_log?limit=1&include=total')).body.total_is_capped, true)

    // A page at its time limit returns the entries found so far.
    let nowMs = performance.now()
    t.mock.method(performance, 'now', () => (nowMs += 600))
    const { body } = await live.get('/v1/audit_log?action=hold_reason.*')
    assert.ok(body.data.length < 3 && body.has_more && body.next_cursor)
    assert.deepEqual(
      (await entriesOf(live, query)).map(({ target }) => target.id),
      rare,
    )
    assert.deepEqual(
      (await entriesOf(live, { ...query, sort: 'commit' })).map(({ target }) => target.id),
      rare.toReversed(),
    )
  })
})

describe('a single entry', () => {
  test('is found by its id, however long the log is', async () => {
    const { live, environments } = await api.world()
    const { id } = await conversation(live, { message: { body: 'Hello' }, tags: ['vip'] })
    await moreEvents(api, environments.live.tenantId, 12_000) // at the same moment
    succeeded(await live.patch(`/v1/conversations/${id}`, { priority: 'high' }))
    const entries = await entriesOf(live, { action: 'conversation.*,tag.*', target_id: id })
    assert.ok(entries.length >= 2)
    for (const entry of entries.filter(({ id }) => eventOf(id)[14] === '7'))
      assert.deepEqual((await live.get(`/v1/audit_log/${entry.id}`)).body, entry)
  })

  test('404 for one that never was, whatever time its id tells', async () => {
    const { live } = await api.world()
    for (const uuid of [newUuid(0), newUuid(Date.now()), newUuid(2 ** 48 - 1), newUuid(Date.UTC(9999, 11))])
      assert.equal((await live.get(`/v1/audit_log/${entryOf(uuid)}`)).status, 404)
  })
})

describe('an export', () => {
  test('is what the list is, oldest first', async () => {
    const { live } = await api.world()
    for (let i = 0; i < 30; i++) await conversation(live, { message: { body: 'Hello' }, tags: ['a', 'b'] })
    await api.world()
    const { data } = (await live.get('/v1/audit_log?limit=1')).body
    for (const query of [
      {},
      { action: 'tag.*' },
      { actor_id: data[0].actor.id },
      { target_id: data[0].target.id },
      { created_after: '2100-01-01T00:00:00Z' },
      { created_before: '2100-01-01T00:00:00Z', action: 'message.created,tag.created' },
    ] as Record<string, string>[])
      assert.deepEqual(await exportOf(live, query), (await entriesOf(live, query)).toReversed())
  })

  test('of a long log is read bit by bit, and nothing comes to it that is later', async () => {
    const { live, environments } = await api.world()
    await conversation(live)
    await moreEvents(api, environments.live.tenantId, rounds(25_000, 8_000))
    const written = await api.db.rows<{ id: string }>(
      sql`select id from events where tenant_id = ${environments.live.tenantId} order by epoch, position, ordinal`,
    )
    let most = 0
    const end = interceptHomes(api.db, ({ slowRows }) => ({
      slowRows: async (query) => {
        const rows = await slowRows(query)
        most = Math.max(most, rows.length)
        return rows as never
      },
    }))
    const answer = await fetch(`${api.url}/v1/audit_log/export`, {
      headers: { authorization: `Bearer ${live.key}` },
    })
    let text = ''
    let later = 0
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (later++ < 5) await conversation(live)
    }
    end()
    const lines = text.split('\n').slice(0, -1)
    assert.deepEqual(
      idsOf(lines.map((line) => JSON.parse(line))),
      written.map(({ id }) => entryOf(id)),
    )
    assert.ok(most > 0 && most <= 100, `${most} entries at once`)
    assert.ok(later > 5, 'it came in pieces')
  })
})
