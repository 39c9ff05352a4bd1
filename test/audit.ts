import assert from 'node:assert/strict'
import { sql } from '../src/db/sql.ts'
import { typeId, uuidOf } from '../src/lib/ids.ts'
import type { Body } from './desk.ts'
import { succeeded } from './desk.ts'
import type { Client, Service } from './harness.ts'
import { until } from './processes.ts'

/* The audit log as its readers see it, and the journal as somebody with access to the database does. */

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

export const verificationOf = async (client: Client, since?: string): Promise<Body> =>
  succeeded(await client.get(`/v1/audit_log/verify${since === undefined ? '' : `?since=${since}`}`))

/** Waits until everything is sealed. */
export const sealed = (client: Client): Promise<Body> =>
  until('all is sealed', async () => {
    const verification = await verificationOf(client)
    return verification.unsealed === 0 && verification
  })

/** The UUID of the event that an entry shows. */
export const eventOf = (entry: { id: string } | string): string =>
  uuidOf('aud', typeof entry === 'string' ? entry : entry.id)!

export const entryOf = (eventId: string): string => typeId('aud', eventId)

/**
 * As if so many more changes had been made: copies of the newest event of an environment with ids of their own, in one
 * transaction.
 */
export async function moreEvents({ db }: Service, tenantId: string, count: number): Promise<void> {
  await db.write(sql`insert into events (tenant_id, ordinal, id, type, created_at, stream_id, resource_type, resource_id,
      resource_version, actor_type, actor_id, operator_id, request_id, ip, user_agent, object, previous)
    select tenant_id, n, gen_random_uuid(), type, created_at, stream_id, resource_type, resource_id, resource_version,
      actor_type, actor_id, operator_id, request_id, ip, user_agent, object, previous
    from (select * from events where tenant_id = ${tenantId} order by epoch desc, xid desc, ordinal desc limit 1) newest,
      generate_series(1, ${count}::integer) n`)
}
