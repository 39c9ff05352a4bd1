import { toInstant } from '@backline/server/platform/kernel/clock.ts'
import type { Connection } from '@backline/server/platform/postgres/database.ts'
import { compile, sql } from '@backline/server/platform/postgres/sql.ts'
import { type EndUser, endUserTable } from '@backline/server/support/people/end-users/queries.ts'
import pg from 'pg'
import { beganAt, type Desk, endUserFor, kept, spacingMs } from './growth-data.ts'

/*
 * Conversations beyond the first ones are copies in SQL of earlier ones, further back in time: with the same words, the
 * next order number and the next end users, but without what is rare. Their indexes are made afterwards.
 */

/** The number of conversations that the product's own statements write. */
export const writtenCount = 50_000
/** The newest are left out, which have what is rare. Divisible by the 3 conversations of an end user, and by 100. */
const blockSize = 39_900
const firstCopied = writtenCount - blockSize
/** Conversations with events; those of older ones would be reduced. */
export const withEvents = 200_000
const usersAtOnce = 2_000

type Column = { name: string; type: string }

/** Makes the conversations `from` to `to` (exclusive), with messages, tags, end users, and events and keys of the newest. */
export async function copyTo(connection: Connection, desk: Desk, anchorMs: number, from: number, to: number) {
  const [rows, users] = await Promise.all([openFor(connection), openFor(connection)])
  const dropped = await dropIndexes(rows)
  await Promise.all([copyRows(rows, desk, anchorMs, from, to), makeEndUsers(users, desk, anchorMs, from, to)])
  await Promise.all(
    [users, rows].map(async (client, i) => {
      for (const [k, index] of dropped.entries()) if (k % 2 === i) await timed(client, index)
    }),
  )
  await Promise.all([rows.end(), users.end()])
}

async function openFor(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`set synchronous_commit = off; set session_replication_role = replica; set temp_buffers = '512MB';
    set maintenance_work_mem = '1500MB'; set max_parallel_maintenance_workers = 1`)
  await client.query(`create function pg_temp.earlier(id uuid, ms bigint) returns uuid language sql immutable as $$
    select (lpad(to_hex(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint - ms), 12, '0')
      || right(replace(id::text, '-', ''), 20))::uuid $$`)
  return client
}

async function timed(client: pg.Client, text: string, values: unknown[] = []): Promise<void> {
  const begun = performance.now()
  await client.query(text, values)
  console.error(
    `${((performance.now() - begun) / 1000).toFixed(1)} s: ${text.slice(0, 70).replaceAll(/\s+/g, ' ')}`,
  )
}

/** Drops all indexes that are no constraints. @returns the statements that make them again, the largest first */
async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `select i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as made
     from pg_index i where i.indrelid = any(array['conversations', 'messages', 'end_users']::regclass[])
       and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
     order by i.indexrelid::regclass::text = 'messages_search' desc, pg_relation_size(i.indexrelid) desc`,
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows.map(({ made }) => made)
}

async function copyRows(client: pg.Client, { tenantId }: Desk, anchorMs: number, from: number, to: number) {
  await client.query(
    `create temp table source as select *, ((extract(epoch from $2::timestamptz - created_at) * 1000) / ${spacingMs})::integer - 1 as n
     from conversations where tenant_id = $1 and created_at between $3 and $4`,
    [
      tenantId,
      toInstant(anchorMs),
      toInstant(beganAt(anchorMs, writtenCount - 1)),
      toInstant(beganAt(anchorMs, firstCopied)),
    ],
  )
  await client.query('create index on source (id); analyze source')
  const parts: [table: string, on: string, id: string, most: number, order: string][] = [
    ['conversations', 'id', 'id', to, 's.n desc'],
    ['messages', 'conversation_id', 'id', to, 'c.id'],
    ['conversation_tags', 'conversation_id', '', to, 'c.tag_id'],
    ['events', 'stream_id', 'id', withEvents, 'c.position, c.ordinal'],
    ['idempotency_keys', 'event_stream_id', '', Math.floor(kept.keysMs / spacingMs), 'c.created_at'],
  ]
  for (const [table, on] of parts)
    if (table !== 'conversations')
      await client.query(
        `create temp table source_${table} as select c.*, s.n from ${table} c join source s on s.id = c.${on} where c.tenant_id = $1`,
        [tenantId],
      )
  await client.query('alter table source rename to source_conversations')
  for (const [table, , , most, order] of parts) {
    const columns = await columnsOf(client, table)
    const copied = columns.map((column) => copyOf(table, column))
    const begun = performance.now()
    for (
      let start = from - ((from - writtenCount) % blockSize);
      start < Math.min(to, most);
      start += blockSize
    ) {
      const places = start - firstCopied
      await client.query(
        `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
         select ${copied.join(', ').replaceAll('$places', String(places))}
         from source_${table} c where c.n + ${places} >= ${from} and c.n + ${places} < ${Math.min(to, most)}
         order by ${order.replace('s.', 'c.')}`,
      )
    }
    console.error(`${table} in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
  }
}

async function columnsOf(client: pg.Client, table: string): Promise<Column[]> {
  const { rows } = await client.query(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  )
  return rows
}

/** Ids that move into the past with their conversation; ids of other objects stay. */
const moving = ['id', 'conversation_id', 'stream_id', 'resource_id', 'event_stream_id', 'event_id']
/** Numbers of orders as in growth-data.ts. */
const orderOf = (n: string) => `(10000000 + ((${n})::bigint * 7919) % 90000000)::text`

function copyOf(table: string, { name, type }: Column): string {
  const ms = `($places::bigint * ${spacingMs})`
  const column = `c.${name}`
  if (table === 'conversations' && name === 'end_user_id') {
    const k = `(('x' || right(${column}::text, 12))::bit(48)::bigint + $places / 3)`
    const moved = `(left(pg_temp.earlier(${column}, ${ms})::text, 24) || lpad(to_hex(${k}), 12, '0'))::uuid`
    return `case when ${column}::text like '%ffffffffffff' then ${column} else ${moved} end`
  }
  if (table === 'conversations' && name === 'subject')
    return `regexp_replace(${column}, '[0-9]+$', ${orderOf('c.n + $places')})`
  if (table === 'conversations' && name === 'search')
    return `array_to_tsvector(array_replace(tsvector_to_array(${column}), ${orderOf('c.n')}, ${orderOf('c.n + $places')}))`
  if (table === 'idempotency_keys' && name === 'key') return `${column} || '/' || $places`
  if (table === 'events' && name === 'epoch') return '1'
  if (table === 'events' && name === 'position')
    return `(1000000000000 - $places::bigint * 1000 + ${column}::text::bigint)::text::xid8`
  if (type === 'uuid' && moving.includes(name)) return `pg_temp.earlier(${column}, ${ms})`
  if (type === 'timestamp with time zone') return `${column} - ${ms} * interval '1 millisecond'`
  return column
}

async function makeEndUsers(
  client: pg.Client,
  { tenantId }: Desk,
  anchorMs: number,
  from: number,
  to: number,
) {
  const end = Math.ceil(to / 3)
  const begun = performance.now()
  for (let k = Math.floor(from / 3); k < end; k += usersAtOnce) {
    const users: EndUser[] = []
    for (let i = k; i < Math.min(end, k + usersAtOnce); i++) users.push(endUserFor(anchorMs, 3 * i, false))
    await client.query(
      compile(sql`${endUserTable.insert(tenantId, users)} on conflict (tenant_id, id) do nothing`),
    )
  }
  console.error(`end users in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
}
