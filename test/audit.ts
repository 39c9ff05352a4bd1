import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { typeId, uuidOf } from '@backline/server/platform/kernel/ids.ts'
import { type Sql, sql } from '@backline/server/platform/postgres/sql.ts'
import { act, type Body, conversation, succeeded } from './desk.ts'
import type { Client, Service } from './harness.ts'
import { appendCopies } from './journal-fixtures.ts'
import { until } from './processes.ts'

/* The audit log as its readers see it, and the journal as somebody with access to the database sees it. */

/** All pages of the log. */
export async function entriesOf(client: Client, query: Record<string, string> = {}): Promise<Body[]> {
  const entries: Body[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const search = new URLSearchParams({ limit: '100', ...query, ...(cursor ? { cursor } : {}) })
    const { data, has_more, next_cursor } = succeeded(await client.get(`/v1/audit_log?${search}`))
    assert.equal(has_more, next_cursor !== null)
    entries.push(...data)
    cursor = next_cursor
  }
  return entries
}

/** The lines of an export. */
export async function exportOf(client: Client, query: Record<string, string> = {}): Promise<Body[]> {
  const { status, headers, text } = await client.get(`/v1/audit_log/export?${new URLSearchParams(query)}`)
  assert.equal(status, 200, text)
  assert.equal(headers.get('content-type'), 'application/x-ndjson')
  assert.ok(text === '' || text.endsWith('\n'))
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** The outcome of a verification, which goes on where its time was over: on a busy machine a request checks a part. */
export async function verificationOf(client: Client, since?: string): Promise<Body> {
  const query = new URLSearchParams(since === undefined ? {} : { since })
  for (let checked = 0; ; ) {
    const part = succeeded(await client.get(`/v1/audit_log/verify?${query}`))
    checked += part.entries_checked
    if (part.complete) return { ...part, entries_checked: checked }
    query.set('after', part.head)
  }
}

/** Waits until all entries are sealed, and verifies the log. */
export async function sealed(client: Client): Promise<Body> {
  await until('all is sealed', async () => {
    const [{ body: head }, { body: log }] = [
      await client.get('/v1/audit_log/head'),
      await client.get('/v1/audit_log?limit=1'),
    ]
    return head.entry_id === log.data[0].id
  })
  return verificationOf(client)
}

/** The UUID of the event that an entry shows. */
export const eventOf = (entry: { id: string } | string): string =>
  uuidOf('aud', typeof entry === 'string' ? entry : entry.id)!

export const entryOf = (eventId: string): string => typeId('aud', eventId)

/** Inserts copies of the newest event of an environment with new ids, in one transaction. */
export async function moreEvents({ db }: Service, tenantId: string, count: number): Promise<void> {
  await appendCopies(db, tenantId, count)
  // PostgreSQL does so itself within a minute. Another test that does so at the moment does it for both.
  await db.write(sql`analyze (skip_locked) events`)
}

/** The position of an event in the journal. */
export type Place = { epoch: number; position: number; ordinal: number }

export const isAt = ({ epoch, position, ordinal }: Place): Sql =>
  sql`epoch = ${epoch} and position = ${position}::text::xid8 and ordinal = ${ordinal}`

/** All columns except the tenant. */
export const eventColumns = sql`epoch, position, ordinal, id, type, created_at, stream_id, resource_type, resource_id, resource_version,
  actor_type, actor_id, operator_id, request_id, idempotency_key, ip, user_agent, object, previous, audited, erased`
const blockColumns = sql`number, epoch, position, ordinal, entries, head, sealed_at`

/** Creates an environment whose log is sealed in at least three blocks, and a copy of its rows to restore. */
export async function sealedLog(api: Service) {
  const { db } = api
  const { live: client, environments } = await api.world()
  const { tenantId } = environments.live
  for (let block = 0; block < 3; block++) {
    await moreEvents(api, tenantId, 4) // one transaction, hence one block
    const { id } = await conversation(client, { message: { body: 'Hello' } })
    for (const priority of ['high', 'low', 'urgent'])
      succeeded(await client.patch(`/v1/conversations/${id}`, { priority }))
    await act(client, id, 'resolve')
    await sealed(client)
  }
  const places = await db.rows<Place>(
    sql`select epoch, position, ordinal from events where tenant_id = ${tenantId} order by epoch, position, ordinal`,
  )
  const blocks = await db.rows<{ last: number }>(sql`select
      (select count(*) - 1 from events e where e.tenant_id = b.tenant_id and (e.epoch, e.position, e.ordinal) <= (b.epoch, b.position, b.ordinal)) as last
    from audit_blocks b where b.tenant_id = ${tenantId} order by b.number`)
  const ends = blocks.map(({ last }) => last)
  assert.ok(ends.length >= 3 && ends.at(-1) === places.length - 1, String(ends))

  const vault = randomUUID()
  async function put(from: string, to: string): Promise<void> {
    for (const [table, columns] of [
      [sql`events`, eventColumns],
      [sql`audit_blocks`, blockColumns],
    ] as const) {
      await db.write(sql`delete from ${table} where tenant_id = ${to}`)
      await db.write(
        sql`insert into ${table} (tenant_id, ${columns}) select ${to}::uuid, ${columns} from ${table} where tenant_id = ${from}`,
      )
    }
    // Always present: the process that seals would create the position again.
    await db.write(sql`insert into journal_positions (tenant_id, follower, epoch, position, ordinal)
      select ${to}::uuid, follower, epoch, position, ordinal from journal_positions where tenant_id = ${from}
      on conflict (tenant_id, follower) do update set epoch = excluded.epoch, position = excluded.position, ordinal = excluded.ordinal`)
  }
  await put(tenantId, vault)
  return {
    client,
    tenantId,
    places,
    /** The positions of the last entries of the blocks. */
    ends,
    verify: (since?: string) => verificationOf(client, since),
    restore: () => put(vault, tenantId),
    entryAt: async (place: Place) => {
      const [event] = await db.rows<{ id: string }>(
        sql`select id from events where tenant_id = ${tenantId} and ${isAt(place)}`,
      )
      return entryOf(event!.id)
    },
  }
}
export type SealedLog = Awaited<ReturnType<typeof sealedLog>>
