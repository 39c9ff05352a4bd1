import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import pg from 'pg'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import { slotOf } from '../queries.ts'

const api = service({ works: true })

const define = async (client: Client, body: object): Promise<Body> =>
  succeeded(
    await client.post('/v1/custom_fields', {
      ...{ applies_to: 'conversation', key: 'size', name: 'Size', type: 'number' },
      ...body,
    }),
  )
const statusOf = async (client: Client, { id }: Body): Promise<string> =>
  succeeded(await client.get(`/v1/custom_fields/${id}`)).index_status
const setIndexed = async (client: Client, { id }: Body, indexed: boolean): Promise<Body> =>
  succeeded(await client.patch(`/v1/custom_fields/${id}`, { indexed }))
const ready = (client: Client, field: Body) =>
  until('the index is ready', async () => (await statusOf(client, field)) === 'ready')

const pass = async (client: Client, seconds: number) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

const withSize = (client: Client, size?: unknown): Promise<Body> =>
  conversation(client, size === undefined ? {} : { custom_fields: { size } })

const fieldOf = ({ id }: Body): string => uuidOf('cf', id)!
const entriesOf = async ({ environments }: World, field: Body): Promise<string[]> =>
  (
    await api.db.rows<{ subject_id: string }>(sql`select subject_id from custom_field_values
      where tenant_id = ${environments.test.tenantId} and field_id = ${fieldOf(field)}`)
  ).map(({ subject_id }) => subject_id)
const taskOf = ({ environments }: World, field: Body): Promise<{ after: string } | null> =>
  api.db.maybe(sql`select after from custom_field_tasks
    where tenant_id = ${environments.test.tenantId} and field_id = ${fieldOf(field)}`)

/** The ids of conversations that a filter by the present value does not find. */
async function lost(client: Client, values: Map<string, number>): Promise<string[]> {
  const found = new Map<number, Set<string>>()
  for (const value of new Set(values.values())) {
    const filter = encodeURIComponent(JSON.stringify({ field: 'custom_fields.size', op: 'is', value }))
    const { data } = succeeded(await client.get(`/v1/conversations?limit=100&filter=${filter}`))
    found.set(value, new Set(data.map(({ id }: Body) => id)))
  }
  return [...values].filter(([id, value]) => !found.get(value)!.has(id)).map(([id]) => id)
}

describe('the index of a field', () => {
  test('is none, then building, then ready, and its entries are gone when it is switched off', async () => {
    const world = await api.world()
    const { test: client } = world
    const field = await define(client, {})
    assert.equal(field.index_status, 'none')
    const { id } = await withSize(client, 7)
    await withSize(client)
    const building = await setIndexed(client, field, true)
    assert.deepEqual([building.index_status, building.version], ['building', 2])
    await ready(client, field)
    assert.deepEqual(await entriesOf(world, field), [uuidOf('conv', id)])
    assert.equal((await setIndexed(client, field, false)).index_status, 'none')
    await pass(client, 61)
    await until('nothing is left', async () => (await taskOf(world, field)) === null)
    assert.deepEqual(await entriesOf(world, field), [])
    const { data } = succeeded(await client.get(`/v1/events?resource_id=${field.id}`))
    assert.deepEqual(
      data.map(({ type, data: { previous } }: Body) => [type, previous.index_status]),
      [
        ['custom_field.created', undefined],
        ['custom_field.updated', 'none'],
        ['custom_field.updated', 'building'],
        ['custom_field.updated', 'ready'],
      ],
    )
  })

  test('is cleared a minute after it is switched off, because requests from before still read it', async () => {
    const world = await api.world()
    const { test: client } = world
    const field = await define(client, { indexed: true })
    await withSize(client, 7)
    await ready(client, field)
    await setIndexed(client, field, false)
    await pass(client, 50)
    await ready(client, await define(client, { key: 'other', indexed: true }))
    assert.equal((await entriesOf(world, field)).length, 1, 'work has gone on, and left the entries')
    await pass(client, 11)
    await until('nothing is left', async () => (await taskOf(world, field)) === null)
    assert.deepEqual(await entriesOf(world, field), [])
  })

  test('is not cleared if it is switched on again within the minute, and has what was written meanwhile', async () => {
    const world = await api.world()
    const { test: client } = world
    const field = await define(client, { indexed: true })
    await withSize(client, 7)
    await ready(client, field)
    await setIndexed(client, field, false)
    await withSize(client, 8)
    assert.equal((await entriesOf(world, field)).length, 1)
    await setIndexed(client, field, true)
    await ready(client, field)
    await pass(client, 61)
    await ready(client, await define(client, { key: 'other', indexed: true }))
    assert.equal((await entriesOf(world, field)).length, 2)
    assert.equal(await statusOf(client, field), 'ready')
  })

  test('finds a prefix before any character, the last code point included', async () => {
    const { test: client } = await api.world()
    const field = await define(client, { key: 'note', type: 'text', indexed: true })
    const notes = ['ab', 'abc', 'ab\u{10ffff}', 'ab\u{10ffff}z', '\u{10ffff}x', 'a\ud7ffy', 'ac', 'b']
    for (const note of notes) await conversation(client, { custom_fields: { note } })
    await ready(client, field)
    for (const start of ['', 'a', 'ab', 'ab\u{10ffff}', '\u{10ffff}', 'a\ud7ff', 'c']) {
      const filter = encodeURIComponent(
        JSON.stringify({ field: 'custom_fields.note', op: 'starts_with', value: start }),
      )
      // Counting uses the index first.
      const { total } = succeeded(await client.get(`/v1/conversations?include=total&filter=${filter}`))
      assert.equal(total, notes.filter((note) => note.startsWith(start)).length, start)
    }
  })

  test('misses nothing that is written while it is built, switched off and built again', async () => {
    const world = await api.world()
    const { test: client } = world
    const field = await define(client, {})
    const values = new Map<string, number>()
    let writes = true
    const writer = async (number: number) => {
      const own: string[] = []
      for (let i = 0; writes; i++) {
        const value = (number * 31 + i) % 40
        if (own.length < 15) {
          const { id } = await withSize(client, value)
          own.push(id)
          values.set(id, value)
        } else {
          const id = own[i % own.length]!
          succeeded(await client.patch(`/v1/conversations/${id}`, { custom_fields: { size: value } }))
          values.set(id, value)
        }
      }
    }
    const writers = Array.from({ length: 6 }, (_, i) => writer(i))
    for (let round = 0; round < 4; round++) {
      await setIndexed(client, field, true)
      // Every second time it is switched off before it is ready.
      if (round % 2 === 0) await ready(client, field)
      await setIndexed(client, field, false)
      // Now and then it is cleared in between, or about to be.
      if (round < 2) await pass(client, 61)
    }
    await setIndexed(client, field, true)
    await ready(client, field)
    writes = false
    await Promise.all(writers)
    assert.deepEqual(await lost(client, values), [])
    const indexed = new Set(await entriesOf(world, field))
    assert.deepEqual(
      [...values.keys()].filter((id) => !indexed.has(uuidOf('conv', id)!)),
      [],
    )
  })

  test('waits for a write that began before the field was indexed, however long it takes', async () => {
    const world = await api.world()
    const { test: client } = world
    const field = await define(client, {})
    const { id } = await withSize(client)
    const holder = new pg.Client(api.connection)
    await holder.connect()
    await holder.query('begin')
    await holder.query('select id from conversations where id = $1 for update', [uuidOf('conv', id)])
    const patch = client.patch(`/v1/conversations/${id}`, { custom_fields: { size: 5 } })
    await until('the write waits', async () => {
      const [waiting] = await api.db.rows<{ count: number }>(sql`select count(*)::integer as count
        from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return waiting!.count > 0
    })
    await setIndexed(client, field, true)
    await until('the work has begun', async () => {
      const [task] = await api.db.rows<{ fence: string | null }>(sql`select fence::text as fence
        from custom_field_tasks where field_id = ${fieldOf(field)}`)
      return task?.fence != null
    })
    // Further writes pass.
    for (let i = 0; i < 10; i++) await withSize(client, i)
    assert.equal(await statusOf(client, field), 'building')
    await holder.query('commit')
    await holder.end()
    succeeded(await patch)
    await ready(client, field)
    assert.equal((await entriesOf(world, field)).filter((each) => each === uuidOf('conv', id)).length, 1)
  })

  test('has the beginning of long texts, each option once, and finds them by the whole value', async () => {
    const world = await api.world()
    const { test: client } = world
    const field = await define(client, { key: 'note', type: 'text', indexed: true })
    const long = 'ä'.repeat(250)
    const [one, other] = [`${long}x`, `${long}y`]
    const made = await conversation(client, { custom_fields: { note: one } })
    await conversation(client, { custom_fields: { note: other } })
    await ready(client, field)
    const filter = encodeURIComponent(JSON.stringify({ field: 'custom_fields.note', op: 'is', value: one }))
    const { data } = succeeded(await client.get(`/v1/conversations?filter=${filter}`))
    assert.deepEqual(
      data.map(({ id }: Body) => id),
      [made.id],
    )
    succeeded(await client.patch(`/v1/conversations/${made.id}`, { custom_fields: { note: null } }))
    assert.equal((await entriesOf(world, field)).length, 1)
  })
})

describe('a deleted field', () => {
  test('leaves no bytes in objects and no entries, a minute later by the clock of the environment', async () => {
    const world = await api.world()
    const { test: client } = world
    const field = await define(client, { indexed: true })
    const kept = await define(client, { key: 'kept' })
    const { id } = await conversation(client, { custom_fields: { size: 3, kept: 4 } })
    const alone = await withSize(client, 5)
    await ready(client, field)
    assert.equal((await client.delete(`/v1/custom_fields/${field.id}`)).status, 204)
    const again = await define(client, { type: 'text' })
    assert.deepEqual(
      succeeded(await client.patch(`/v1/conversations/${id}`, { custom_fields: { size: 'big' } }))
        .custom_fields,
      { kept: 4, size: 'big' },
    )
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 61 }))
    await until('the work is done', async () => (await taskOf(world, field)) === null)
    assert.deepEqual(await entriesOf(world, field), [])
    const stored = await api.db.rows<{ id: string; custom_values: unknown }>(sql`select id, custom_values
      from conversations where tenant_id = ${world.environments.test.tenantId} order by id`)
    assert.deepEqual(stored, [
      {
        id: uuidOf('conv', id),
        custom_values: { [slotOf(fieldOf(kept))]: 4, [slotOf(fieldOf(again))]: 'big' },
      },
      { id: uuidOf('conv', alone.id), custom_values: null },
    ])
    assert.equal(succeeded(await client.get(`/v1/conversations/${alone.id}`)).version, alone.version)
  })
})
