import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entriesOf, moreEvents, sealed, verificationOf } from '@backline/test/audit.ts'
import { act, type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import pg from 'pg'
import { commandContext } from '../../compose/contexts.ts'
import type { Db } from '../postgres/database.ts'
import { sql } from '../postgres/sql.ts'
import { forgetEvents } from './retention.ts'

const api = service({ works: true })
const keptDays = 40
const longSeconds = (keptDays + 1) * 86_400

/** A test environment that keeps events for 40 days. */
async function environment() {
  const { test: client, environments } = await api.world()
  succeeded(await client.patch('/v1/workspace', { event_retention_days: keptDays }))
  const { tenantId } = environments.test
  return { client, tenantId, env: { ...environments.test, eventRetentionDays: keptDays } }
}

const feedOf = async (client: Client, query = ''): Promise<Body> =>
  (await client.get(`/v1/events?limit=100&${query}`)).body

const wait = async (client: Client) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds: longSeconds }))

const snapshotsOf = (tenantId: string) =>
  api.db.rows<Snapshot & { type: string }>(
    sql`select type, object::text, previous::text, related::text, audited from events where tenant_id = ${tenantId} order by epoch, position, ordinal`,
  )

type Snapshot = { object: string; previous: string; related: string | null; audited: string | null }

/** True if only the fields are left that the audit log shows. */
function isThin({ object, previous, related, audited }: Snapshot): boolean {
  const shown = [...Object.keys(JSON.parse(previous)), ...(audited?.split(' ')[1]?.split(',') ?? [])]
  return related === null && Object.keys(JSON.parse(object)).every((field) => shown.includes(field))
}

describe('the retention of events', () => {
  test('removes events from the feed and timelines, not from the audit log', async () => {
    const { client, tenantId } = await environment()
    const { id } = await conversation(client, { subject: 'Old', message: { body: 'Hello' } })
    succeeded(await client.patch(`/v1/conversations/${id}`, { priority: 'high', metadata: { a: 'b' } }))
    await say(client, id, 'operator')
    const { resume_cursor: middle } = (await client.get('/v1/events?limit=3')).body
    await act(client, id, 'hold', {
      hold_reason_id: succeeded(await client.post('/v1/hold_reasons', { name: 'Parts' })).id,
    })
    const { resume_cursor: cursor } = await feedOf(client)
    const { head } = await sealed(client)
    const log = await entriesOf(client)
    assert.ok(log.some(({ changes }) => changes.metadata))

    await wait(client)
    const { id: young } = await conversation(client, { subject: 'Young' })
    await until('what is old is forgotten', async () => (await feedOf(client)).data[0].resource.id === young)
    assert.equal((await feedOf(client)).data.length, 1)
    assert.deepEqual(
      (await feedOf(client, `cursor=${cursor}`)).data.map(({ resource }: Body) => resource.id),
      [young],
      'whoever has seen all goes on',
    )
    const { status, body } = await client.get(`/v1/events?cursor=${middle}`)
    assert.equal(status, 400)
    assert.partialDeepStrictEqual(body, { code: 'cursor_invalid', params: { reason: 'expired' } })
    assert.deepEqual((await client.get(`/v1/conversations/${id}/timeline`)).body.data, [])
    assert.equal((await client.get(`/v1/conversations/${young}/timeline`)).body.data.length, 1)

    const { valid, entries_checked } = await sealed(client)
    assert.deepEqual({ valid, entries_checked }, { valid: true, entries_checked: log.length + 1 })
    assert.equal((await verificationOf(client, head)).valid, true)
    assert.deepEqual((await entriesOf(client)).slice(1), log)

    const snapshots = await snapshotsOf(tenantId)
    assert.ok(snapshots.slice(0, -1).every(isThin))
    assert.equal(JSON.parse(snapshots.at(-1)!.object).subject, 'Young')
  })

  test('a response that an event held is replayed unchanged after the event has lost its snapshot', async () => {
    const { client, tenantId, env } = await environment()
    const create = () =>
      client.post(
        '/v1/conversations',
        { external_user_id: 'user_1', subject: 'Grüße' },
        { 'idempotency-key': 'kept for longer than its event' },
      )
    const first = await create()
    await sealed(client)
    const deps = { context: api.context, neededConsumer: 'audit' }
    await forgetEvents(deps, { ...env, eventRetentionDays: -1 }, new AbortController().signal)
    assert.ok(isThin((await snapshotsOf(tenantId)).at(-1)!))
    const replay = await create()
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
    assert.equal(replay.text, first.text)
  })

  test('a redaction in progress is not undone: the key receives what it leaves', async () => {
    const { client, tenantId, env } = await environment()
    const created = { external_user_id: 'user_1', subject: 'My number is 4242' }
    const headers = { 'idempotency-key': 'redacted meanwhile' }
    succeeded(await client.post('/v1/conversations', created, headers))
    await sealed(client)
    const redacting = new pg.Client(api.connection)
    await redacting.connect()
    try {
      await redacting.query('begin')
      await redacting.query(
        `update events set object = '{"subject":""}' where tenant_id = $1 and type = 'conversation.created'`,
        [tenantId],
      )
      const deps = { context: api.context, neededConsumer: 'audit' }
      const forgetting = forgetEvents(deps, { ...env, eventRetentionDays: -1 }, new AbortController().signal)
      await until('it waits for the redaction', async () => {
        const { rows } = await redacting.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return rows.length > 0
      })
      await redacting.query('commit')
      await forgetting
    } finally {
      await redacting.end()
    }
    const bodies = await api.db.rows<{ own_body: string | null }>(
      sql`select own_body from idempotency_keys where tenant_id = ${tenantId} and key = 'redacted meanwhile'`,
    )
    assert.deepEqual(bodies, [{ own_body: '{"subject":""}' }])
  })

  test('events without snapshots can still be redacted', async () => {
    const { client, tenantId } = await environment()
    const { id } = await conversation(client)
    const { id: message } = await say(client, id, 'end_user', { body: 'My number is 4242' })
    succeeded(await client.patch(`/v1/messages/${message}`, { body: 'My number is 4343' }))
    await sealed(client)
    await wait(client)
    await until('it is forgotten', async () => (await feedOf(client)).data.length === 0)
    assert.ok((await snapshotsOf(tenantId)).some(({ object }) => object.includes('4343')))
    succeeded(await client.post(`/v1/messages/${message}/redact`))
    assert.equal((await sealed(client)).valid, true)
    const snapshots = await snapshotsOf(tenantId)
    assert.ok(snapshots.every(({ object, previous }) => !/4[23]4[23]/.test(object + previous)))
  })

  test('a consumer without work in an environment does not delay retention', async () => {
    const { client, tenantId } = await environment()
    await conversation(client)
    await sealed(client)
    await api.db.write(sql`insert into journal_positions (tenant_id, follower, epoch, position, ordinal)
      select tenant_id, 'webhooks', epoch, position, ordinal from events where tenant_id = ${tenantId} order by epoch, position, ordinal limit 1`)
    await wait(client)
    await until('all is forgotten', async () => (await feedOf(client)).data.length === 0)
  })

  test('keeps events that are not sealed, and events after a recent one', async () => {
    const { client, tenantId } = await environment()
    const before = await floorsOf(tenantId)
    // Nothing is sealed before this position.
    await api.db.write(
      sql`insert into journal_positions (tenant_id, follower, epoch, position, ordinal) values (${tenantId}, 'audit', 2147483647, '9000000000000000', 0)
        on conflict (tenant_id, follower) do update set epoch = excluded.epoch, position = excluded.position`,
    )
    await moreEvents(api, tenantId, 3)
    const [, second, third] = await api.db.rows<{ position: number }>(
      sql`select position from events where tenant_id = ${tenantId} order by epoch desc, events.position desc limit 3`,
    )
    await api.db.write(
      sql`update events set created_at = created_at + interval '2 days'
        where tenant_id = ${tenantId} and position = ${second!.position}::text::xid8`,
    )
    await wait(client)
    const reached = async () => (await floorsOf(tenantId))[0]?.position === third!.position
    await until('what is before is forgotten', reached)
    assert.deepEqual(before, [])
    assert.equal((await feedOf(client)).data.length, 2)
  })

  test('concurrent processes remove each event once, in small batches', async () => {
    const { client, tenantId, env } = await environment()
    await conversation(client)
    await moreEvents(api, tenantId, 2_600)
    await sealed(client)
    const statements: number[] = []
    const db: Db = {
      ...api.db,
      home: () => db,
      write: async (query: never) => {
        const rows = await api.db.write(query)
        statements.push(rows.length)
        return rows as never
      },
    }
    const context = () => commandContext(db, () => api.now() + longSeconds * 1000, env)
    const forgetting = () =>
      forgetEvents({ context, neededConsumer: 'audit' }, env, new AbortController().signal)
    await Promise.all([forgetting(), forgetting(), forgetting(), forgetting()])
    // The first batch has one event, and six more follow. A process that starts after the first one may also begin with
    // one.
    const count = statements.length
    assert.ok(count >= 7 && count <= 10, `${count}: those that another one was faster than have failed`)
    const full = (await snapshotsOf(tenantId)).filter((snapshot) => !isThin(snapshot))
    assert.deepEqual(full, [])
    assert.equal((await sealed(client)).valid, true)
  })
})

const floorsOf = (tenantId: string) =>
  api.db.rows<{ position: number }>(sql`select position from journal_floors where tenant_id = ${tenantId}`)
