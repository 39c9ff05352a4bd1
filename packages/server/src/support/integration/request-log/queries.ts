import { everyEnvironment } from '../../../platform/journal/every-environment.ts'
import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { sqlState, sqlStates } from '../../../platform/postgres/errors.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { and, join, none, type Sql, sql } from '../../../platform/postgres/sql.ts'

/** A request as it is stored. Ids are UUIDs. */
export type LoggedRequest = {
  id: string
  created_at: Instant
  duration_ms: number
  status: number
  method: string
  route: string | null
  path: string
  code: string | null
  key_id: string | null
  console_session_id: string | null
  end_user_session_id: string | null
  operator_id: string | null
  is_replay: boolean | null
  original_request_id: string | null
  network: string | null
}

/** A `Date`, because each row has another time, whose text would be made to be parsed. */
export type NewRequest = Omit<LoggedRequest, 'created_at'> & { created_at: Date }

const rows = rowSet<NewRequest>({
  id: ['uuid', ({ id }) => id],
  created_at: ['timestamptz', ({ created_at }) => created_at],
  duration_ms: ['integer', ({ duration_ms }) => duration_ms],
  status: ['integer', ({ status }) => status],
  method: ['text', ({ method }) => method],
  route: ['text', ({ route }) => route],
  path: ['text', ({ path }) => path],
  code: ['text', ({ code }) => code],
  key_id: ['uuid', ({ key_id }) => key_id],
  console_session_id: ['uuid', ({ console_session_id }) => console_session_id],
  end_user_session_id: ['uuid', ({ end_user_session_id }) => end_user_session_id],
  operator_id: ['uuid', ({ operator_id }) => operator_id],
  is_replay: ['boolean', ({ is_replay }) => is_replay],
  original_request_id: ['uuid', ({ original_request_id }) => original_request_id],
  network: ['text', ({ network }) => network],
})

const columns = sql`id, created_at, duration_ms, status, method, route, path, code, key_id, console_session_id,
  end_user_session_id, operator_id, is_replay, original_request_id, network`

const insertion = (tenantId: string, requests: NewRequest[]): Sql =>
  sql`insert into request_log (tenant_id, ${columns}) select ${tenantId}::uuid, ${columns} from ${rows(requests)}`

/** Rows that an earlier attempt has written, whose confirmation was lost, stay as they are. */
export async function insertRequests(db: Db, tenantId: string, requests: NewRequest[]): Promise<void> {
  const plain = insertion(tenantId, requests)
  await db.write(plain).catch((error) => {
    // Conflicts are rare, and an insert that expects them writes a third more log.
    if (sqlState(error) !== sqlStates.uniqueViolation) throw error
    return db.write(sql`${plain} on conflict do nothing`)
  })
}

export type RequestFilter = {
  method: string | null
  route: string | null
  /** Ranges of statuses, both ends included. */
  statuses: [from: number, to: number][] | null
  code: string | null
  keyId: string | null
  session: { column: 'console_session_id' | 'end_user_session_id'; id: string } | null
  operatorId: string | null
  isReplay: boolean | null
  slowerThanMs: number | null
  createdAfter: Instant | null
  createdBefore: Instant | null
}

const sessionColumns = {
  console_session_id: sql`console_session_id`,
  end_user_session_id: sql`end_user_session_id`,
}

/** @param keptSince older requests are no longer shown, though they may not be removed yet */
function conditionsOf(filter: RequestFilter, keptSince: Instant): Sql {
  const { statuses, session } = filter
  const equal = [
    [sql`method`, filter.method],
    [sql`route`, filter.route],
    [sql`code`, filter.code],
    [sql`key_id`, filter.keyId],
    [session ? sessionColumns[session.column] : none, session?.id ?? null],
    [sql`operator_id`, filter.operatorId],
    [sql`is_replay`, filter.isReplay],
  ] as const
  return join(
    [
      sql`created_at >= ${keptSince}`,
      ...equal.flatMap(([column, value]) => (value === null ? [] : [sql`${column} = ${value}`])),
      ...(statuses === null
        ? []
        : [
            sql`(${join(
              statuses.map(([from, to]) => sql`status between ${from} and ${to}`),
              sql` or `,
            )})`,
          ]),
      ...(filter.slowerThanMs === null ? [] : [sql`duration_ms > ${filter.slowerThanMs}`]),
      ...(filter.createdAfter === null ? [] : [sql`created_at > ${filter.createdAfter}`]),
      ...(filter.createdBefore === null ? [] : [sql`created_at < ${filter.createdBefore}`]),
    ],
    and,
  )
}

/** A part of the log, from the newest request before `before` on. */
export type Part = { filter: RequestFilter; keptSince: Instant; before: string | null; scan: number }

const newestOf = (tenantId: string, { before, scan }: Part): Sql =>
  sql`select * from request_log where tenant_id = ${tenantId}${before === null ? none : sql` and id < ${before}`}
    order by id desc limit ${scan}`

/** The matching requests among the next `scan`, newest first, at most `limit`. */
export const findRequests = (db: Db, tenantId: string, part: Part, limit: number): Promise<LoggedRequest[]> =>
  db.slowRows(sql`select ${columns} from (${newestOf(tenantId, part)}) request_log
    where ${conditionsOf(part.filter, part.keptSince)} order by id desc limit ${limit}`)

/** The number of matching requests among the next `scan`. */
export async function countRequests(db: Db, tenantId: string, part: Part): Promise<number> {
  const [row] = await db.slowRows<{
    count: number
  }>(sql`select count(*) from (${newestOf(tenantId, part)}) request_log
    where ${conditionsOf(part.filter, part.keptSince)}`)
  return row!.count
}

/** The last of the next `scan` requests; null if there are fewer. */
export async function endOfScan(
  db: Db,
  tenantId: string,
  { before, scan }: Pick<Part, 'before' | 'scan'>,
): Promise<string | null> {
  const [row] = await db.slowRows<{ id: string }>(sql`select id from request_log
    where tenant_id = ${tenantId}${before === null ? none : sql` and id < ${before}`}
    order by id desc offset ${scan - 1} limit 1`)
  return row?.id ?? null
}

export const findRequest = (
  db: Db,
  tenantId: string,
  id: string,
  keptSince: Instant,
): Promise<LoggedRequest | null> =>
  db.maybe(sql`select ${columns} from request_log
    where tenant_id = ${tenantId} and id = ${id} and created_at >= ${keptSince}`)

/**
 * Removes the requests that are not among the newest `kept`.
 * @param atOnce by one statement
 */
export async function trimRequests(db: Db, tenantId: string, kept: number, atOnce: number): Promise<void> {
  const last = await endOfScan(db, tenantId, { before: null, scan: kept })
  if (last === null) return
  const removeSome = sql`delete from request_log where tenant_id = ${tenantId} and id in (
      select id from request_log where tenant_id = ${tenantId} and id < ${last} order by id limit ${atOnce})
    returning 1 as removed`
  while ((await db.write(removeSome)).length === atOnce);
}

/** Removes up to `limit` requests from before a time, and returns their number. */
export async function sweepRequests(
  db: Db,
  tenantId: string,
  before: Instant,
  limit: number,
): Promise<number> {
  const removed = await db.write(sql`delete from request_log where tenant_id = ${tenantId} and id in (
      select id from (select id, created_at from request_log where tenant_id = ${tenantId} order by id limit ${limit}) oldest
      where created_at < ${before})
    returning 1 as removed`)
  return removed.length
}

/** The environments whose oldest request is older than the retention period, by their own clock. */
export async function environmentsWithOldRequests(
  db: Db,
  realNowMs: number,
  days: number,
): Promise<string[]> {
  const found = await db.slowRows<{ id: string }>(sql`select e.id from ${everyEnvironment}
    cross join lateral (select created_at from request_log where request_log.tenant_id = h.tenant_id order by id limit 1) oldest
    where extract(epoch from oldest.created_at) * 1000
      < ${realNowMs}::bigint + e.clock_offset_ms - ${days * 86_400_000}::bigint`)
  return found.map(({ id }) => id)
}
