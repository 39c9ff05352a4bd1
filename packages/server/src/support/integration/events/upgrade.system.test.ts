import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sealed } from '@backline/test/audit.ts'
import { applyMigrations, inDatabase, urlOf } from '@backline/test/databases.ts'
import { act, type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, clientOf, service } from '@backline/test/harness.ts'
import {
  deliveriesOf,
  endpoint,
  type HookReceiver,
  hookReceiver,
  localNetworks,
  tag,
} from '@backline/test/hooks.ts'
import { cleanUp, type ServerProcess, startServer, until } from '@backline/test/processes.ts'
import { journalOf, uuid } from '@backline/test/webhook-fixtures.ts'
import pg from 'pg'
import { cursorCodec } from '../../../platform/http/request/pagination.ts'
import type { Connection } from '../../../platform/postgres/database.ts'

/*
 * The journal of a version that ordered events by (epoch, transaction id, ordinal), as a server of today continues it.
 * The rows are those of a present server, with places of that form, in a database at migration 0031.
 */
const migrationBefore = 31
/** The number of events before the floor of the feed. */
const expired = 2
const api = service({ works: true, environment: localNetworks })

/** The place of an event in the former form; `ordinal` counts within a transaction. */
type FormerPlace = { epoch: number; xid: number; ordinal: number }

let former: pg.Client
let upgraded: ServerProcess
let client: Client
let tenantId: string
/** All events of the environment before the upgrade, in their order. */
let events: { id: string; place: FormerPlace }[]
let cursorAfter: (place: FormerPlace) => string
let to: HookReceiver
let hook: Body
let paused: Body
let talk: string

after(async () => {
  await former.end()
  await cleanUp()
})

const connected = async (connection: Connection): Promise<pg.Client> => {
  const found = new pg.Client(
    typeof connection === 'string' ? { connectionString: connection } : { ...connection },
  )
  await found.connect()
  return found
}

/** Three epochs, in each of which transaction ids start again; two events of a transaction. */
const formerPlaces = (count: number): FormerPlace[] => {
  const each = Math.ceil(count / 3)
  return Array.from({ length: count }, (_, i) => ({
    epoch: 1 + Math.floor(i / each),
    xid: 700 + Math.floor((i % each) / 2),
    ordinal: (i % each) % 2,
  }))
}

type Row = Record<string, unknown>

/** Before migration 0034, each key had the body of its response. */
const keysWithBodies = `(select k.*, coalesce(k.own_body, e.object::text) as body from idempotency_keys k
  left join events e on e.tenant_id = k.tenant_id and e.id = k.event_id)`

/** Before migration 0035, each conversation had the external id of its end user. */
const namingConversations = `(select (jsonb_populate_record(c, jsonb_build_object('external_user_id', e.external_id))).*
  from conversations c join end_users e on e.tenant_id = c.tenant_id and e.id = c.end_user_id)`

const sources: Record<string, string> = {
  conversations: namingConversations,
  idempotency_keys: keysWithBodies,
}

/** Copies all rows into a database of the former version. Places of a table are `[epoch, position, ordinal]`. */
async function copyRows(from: pg.Client, into: pg.Client): Promise<void> {
  const places = new Map<string, FormerPlace>()
  const { rows: tenants } = await from.query('select distinct tenant_id from events')
  for (const { tenant_id } of tenants) {
    const { rows } = await from.query(
      'select position::text from events where tenant_id = $1 order by position',
      [tenant_id],
    )
    const placed = formerPlaces(rows.length)
    for (const [i, { position }] of rows.entries()) places.set(`${tenant_id} ${position}`, placed[i]!)
  }
  const moved = (row: Row): Row => {
    const place = places.get(`${row.tenant_id} ${row.position ?? row.active_position}`)
    if (place === undefined) return row
    return { ...row, ...place, active_epoch: place.epoch, active_xid: place.xid }
  }
  const { rows: tables } = await into.query(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'",
  )
  for (const { name } of tables) {
    if (name === 'installation_epochs') continue
    const table = into.escapeIdentifier(name)
    const source = sources[name] ?? table
    const { rows } = await from.query(`select to_json(t) as row from ${source} t`)
    await into.query(`delete from ${table}`)
    await into.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows.map(({ row }) => moved(row))),
    ])
  }
}

/** The columns that every server before migration 0032 gave to an event. */
const insertAsBefore = (client: pg.Client) =>
  client.query(
    `insert into events (tenant_id, ordinal, id, type, created_at, stream_id, resource_type, resource_id, resource_version,
       actor_type, object, previous)
     values ($1, 0, gen_random_uuid(), 'tag.created', now(), $1, 'tag', $1, 1, 'system', '{}', '{}')`,
    [tenantId],
  )

/** Before migration 0042, events did not name the fields that the audit log shows, and its seals did not cover them. */
const withoutAudited = `
  create function without_audited() returns trigger language plpgsql as 'begin new.audited := null; return new; end';
  create trigger without_audited before insert on events for each row execute function without_audited()`

/** Makes a journal, copies it into a database of the former version, and starts a server on that. */
async function upgrade(): Promise<void> {
  const present = await connected(api.connection)
  await present.query(withoutAudited)
  const world = await api.world()
  const { live } = world
  tenantId = world.environments.live.tenantId
  to = await hookReceiver()
  hook = await endpoint(live, to.url)
  for (let i = 0; i < 9; i++) await tag(live)
  talk = (await conversation(live, { message: { body: 'Hello' } })).id
  await act(live, talk, 'resolve')
  paused = await endpoint(live, to.url)
  succeeded(await live.patch(`/v1/webhook_endpoints/${paused.id}`, { status: 'paused' }))
  await until('the webhooks arrive', () => to.hooks.length === 9)
  await until(
    'they are recorded',
    async () => (await deliveriesOf(live, hook, 'status=succeeded')).length === 9,
  )
  assert.equal((await sealed(live)).valid, true)

  const name = `${(await present.query('select current_database() as name')).rows[0].name}_former`
  await present.query(`create database ${name}`)
  const connection = inDatabase(api.connection, name)
  former = await connected(connection)
  await applyMigrations(former, migrationBefore)
  await copyRows(present, former)
  const journal = await journalOf(api, world.environments.live)
  const places = formerPlaces(journal.length)
  events = journal.map(({ id }, i) => ({ id, place: places[i]! }))
  const { rows } = await present.query("select value from installation_secrets where name = 'cursor'")
  const codec = cursorCodec(rows[0].value)
  cursorAfter = ({ epoch, xid, ordinal }) =>
    codec.write({ tenantId, path: '/v1/events', filters: {}, sort: 'commit' }, [epoch, String(xid), ordinal])
  await present.end()

  await appointRecovery(events.at(0)!.place, events.at(-1)!.place)
  const { epoch, xid, ordinal } = events[expired - 1]!.place
  await former.query('insert into journal_floors (tenant_id, epoch, xid, ordinal) values ($1, $2, $3, $4)', [
    tenantId,
    epoch,
    xid,
    ordinal,
  ])
  await insertAsBeforeAndUndo()
  upgraded = await startServer({ environment: { DATABASE_URL: urlOf(connection), ...localNetworks } })
  client = clientOf(upgraded.url, live.key)
}

/** A recovery that the former version has begun, from the first event to the last one. */
async function appointRecovery(from: FormerPlace, last: FormerPlace): Promise<void> {
  const [id, due] = [randomUUID(), new Date()]
  await former.query(
    "insert into due_work (tenant_id, duty, subject_id, due_at) values ($1, 'webhook_recovery', $2, $3)",
    [tenantId, id, due],
  )
  await former.query(
    `insert into webhook_recoveries (tenant_id, id, endpoint_id, since, epoch, xid, ordinal, until_epoch, until_xid, created_at)
     values ($1, $2, $3, '2020-01-01', $4, $5, $6, $7, $8, $9)`,
    [tenantId, id, uuid(paused.id), from.epoch, from.xid, from.ordinal, last.epoch, last.xid + 1, due],
  )
}

async function insertAsBeforeAndUndo(): Promise<void> {
  await former.query('begin')
  await insertAsBefore(former)
  await former.query('rollback')
}

/** The UUIDs of all events after a cursor, and the cursor to continue with. */
async function walk(cursor: string | null, limit = 2): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = []
  for (let from = cursor; ; ) {
    const page = succeeded(await client.get(`/v1/events?limit=${limit}${from ? `&cursor=${from}` : ''}`))
    ids.push(...page.data.map(({ id }: Body) => uuid(id)))
    from = page.resume_cursor
    if (!page.has_more) return { ids, cursor: from! }
  }
}

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

describe('a journal of transaction ids, after the upgrade', () => {
  before(upgrade)

  test('has all events in their former order', async () => {
    assert.ok(events.length > 12)
    const { ids } = await walk(null)
    assert.deepEqual(ids.slice(0, events.length - expired), idsOf(events.slice(expired)))
  })

  test('is read on into new events without a gap from every former cursor', async () => {
    const { cursor } = await walk(null)
    await Promise.all([tag(client), tag(client), say(client, talk, 'operator'), tag(client)])
    const { ids } = await walk(null)
    assert.ok(ids.length >= events.length - expired + 4)
    for (const [i, { place }] of events.slice(expired).entries())
      assert.deepEqual((await walk(cursorAfter(place), 100)).ids, ids.slice(i + 1))
    assert.deepEqual((await walk(cursor, 100)).ids, ids.slice(events.length - expired))
  })

  test('is streamed from a former Last-Event-ID', async () => {
    const closing = new AbortController()
    const headers = {
      authorization: `Bearer ${client.key}`,
      'last-event-id': cursorAfter(events.at(-3)!.place),
    }
    const { body } = await fetch(`${upgraded.url}/v1/events/stream`, { headers, signal: closing.signal })
    const added = await tag(client)
    let text = ''
    for await (const part of body!.pipeThrough(new TextDecoderStream())) {
      text += part
      if (text.includes(added.id)) break
    }
    closing.abort()
    const ids = [...text.matchAll(/^data: \{"id":"(evt_\w+)"/gm)].map(([, id]) => uuid(id!))
    assert.deepEqual(ids, (await walk(cursorAfter(events.at(-3)!.place))).ids)
  })

  test('has a timeline of former and new events', async () => {
    const types: string[] = []
    await say(client, talk, 'operator')
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = cursor && `&cursor=${cursor}`
      const page: Body = succeeded(await client.get(`/v1/conversations/${talk}/timeline?limit=1${query}`))
      types.push(...page.data.map(({ type }: Body) => type))
      cursor = page.next_cursor
    }
    assert.equal(types[0], 'conversation.created')
    assert.equal(types.at(-1), 'message.created')
    assert.ok(types.indexOf('conversation.resolved') < types.lastIndexOf('message.created'), String(types))
  })

  test('has conversations that refer to their end user after a while', async () => {
    const path = `/v1/conversations/${talk}?include=end_user`
    await until('it is linked', async () => succeeded(await client.get(path)).end_user_id !== null)
    const { external_user_id, end_user }: Body = succeeded(await client.get(path))
    assert.equal(end_user.external_id, external_user_id)
  })

  test('keeps its floor: a cursor before it has expired', async () => {
    const { status, body } = await client.get(`/v1/events?cursor=${cursorAfter(events[0]!.place)}`)
    assert.deepEqual([status, body.params.reason], [400, 'expired'])
  })

  test('is consumed further: webhooks are sent once, and the audit log remains valid', async () => {
    const { id } = await tag(client)
    await until('the webhook of a new event arrives', () =>
      to.hooks.some(({ event }) => event.resource.id === id),
    )
    const sent = to.hooks.map(({ event }) => event.id)
    assert.equal(new Set(sent).size, sent.length)
    const { valid, complete } = await sealed(client)
    assert.deepEqual([valid, complete], [true, true])
  })

  test('is recovered up to the former end', async () => {
    await until('the recovery ends', async () => {
      const { rowCount } = await former.query('select 1 from webhook_recoveries where tenant_id = $1', [
        tenantId,
      ])
      return rowCount === 0
    })
    const recovered = (await deliveriesOf(client, paused)).map(({ event_id }) => uuid(event_id))
    const tags = to.hooks.slice(0, 9).map(({ event }) => uuid(event.id))
    const kept = new Set(idsOf(events.slice(expired)))
    assert.deepEqual(recovered.toSorted(), tags.filter((each) => kept.has(each)).toSorted())
  })

  test('accepts no event of a server of the former version', async () => {
    await assert.rejects(insertAsBefore(former), { code: '23502' })
  })
})
