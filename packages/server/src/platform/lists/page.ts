import { unavailable } from '../kernel/errors.ts'
import type { Page, PartialPage, SortKey } from '../kernel/page.ts'
import { openSemaphore } from '../kernel/semaphore.ts'
import type { Db } from '../postgres/database.ts'
import { and, join, type Sql, sql } from '../postgres/sql.ts'
import type { Order, Table, VersionedRow } from '../tables/table.ts'

/*
 * A list with a filter that no index serves as a whole checks rows in the order of the list: first a few, which
 * suffices for a filter that many rows meet. If that is no page, and an index finds few candidates for one of the
 * conditions, only these are checked further. A statement checks rows until its time is over, whatever they cost. When
 * the time of the page is over, the page ends early, and its cursor continues after the last row that was checked.
 */

export type FilterLimits = {
  /** The rows that are checked first, and then by one statement. */
  firstRows: number
  mostRows: number
  /** The time for the statements of one page, and in which one statement checks rows. */
  pageMs: number
  statementMs: number
  /** More candidates are not sorted, because rows in the order of the list are found as fast. */
  mostCandidates: number
  /** The time for finding candidates: those of a word that a million rows have take longer to find than to check. */
  candidatesMs: number
  /** The rows that a count checks first, if an index finds them. */
  firstCounted: number
  /** True if the caller has the turn of the environment, from `inTurn`. */
  hasTurn?: boolean
}

export const filterLimits: FilterLimits = {
  firstRows: 200,
  mostRows: 20_000,
  pageMs: 1_000,
  statementMs: 250,
  mostCandidates: 10_000,
  candidatesMs: 500,
  firstCounted: 10_000,
}

export type FilteredList<Row extends VersionedRow> = {
  table: Table<Row>
  /** Conditions with an index that has the order of the list, so that the next rows are found whatever they are. */
  conditions: Sql[]
  filter: Sql
  /** Queries for the ids of all rows that meet the filter, and perhaps of others; each suffices alone. */
  candidates: Sql[]
  /** Conditions that are part of the filter, and that one index serves together; empty if there are none. */
  joint: Sql[]
}

/** The rows among which a page is read: those of a list, or candidates by their ids. */
type Source<Row extends VersionedRow> = FilteredList<Row> & { among: string[] | null }

/** Returns a page of the rows that meet a filter, or a part of it after which the time for it was over. */
export async function filteredPage<Row extends VersionedRow>(
  db: Db,
  tenantId: string,
  list: FilteredList<Row>,
  order: Order<Row>,
  { limit, after }: Omit<Page, 'sort'>,
  limits = filterLimits,
): Promise<Row[] | PartialPage<Row>> {
  const endsAtMs = performance.now() + limits.pageMs
  const found = new Map<string, Row>()
  let source: Source<Row> = { ...list, among: null }
  let [from, most] = [after, limits.firstRows]
  for (;;) {
    const part = { limit: limit - found.size, after: from, most, withinMs: limits.statementMs }
    const read = await taking(tenantId, endsAtMs, from !== after, () =>
      someInOrder(db, tenantId, source, order, part),
    )
    // A row that moves in the order meanwhile is found twice.
    for (const row of read?.rows ?? []) if (!found.has(row.id)) found.set(row.id, row)
    const rows = [...found.values()].slice(0, limit)
    if (rows.length >= limit || read?.last === null) return rows
    if (read) from = order.key(read.last!)
    if (read === null || performance.now() > endsAtMs) return { rows, hasMore: true, reached: from }
    if (most === limits.firstRows && source.among === null) {
      const among = await taking(tenantId, endsAtMs, true, () =>
        fewestCandidates(db, list.candidates, limits),
      )
      source = { ...source, among }
    }
    most = limits.mostRows
  }
}

type Part = { limit: number; after: SortKey | null; most: number; withinMs: number }

/** The next rows in order that meet the filter, and the last row that was checked; null if no more rows follow. */
async function someInOrder<Row extends VersionedRow>(
  db: Db,
  tenantId: string,
  source: Source<Row>,
  order: Order<Row>,
  { limit, after, most, withinMs }: Part,
): Promise<{ rows: Row[]; last: Row | null }> {
  const { table, conditions } = source
  const where = whole(table, tenantId, after ? [...conditions, order.after(after)] : conditions)
  const from = rowsFrom(source, order, where, after, most)
  return withColumns(db, tenantId, table, async (columns) => {
    const rows = await db.slowRows<Row & { is_last: boolean }>(
      sql`with ${checked(tenantId, source, sql`${from} order by ${order.by} limit ${most}`, order.by, withinMs)},
        found as materialized (select ${columns}, place from met
          join ${table.name} on ${whole(table, tenantId, [])} and ${table.name}.id = met.id order by place limit ${limit}),
        last as materialized (select ${columns}, place from checked
          join ${table.name} on ${whole(table, tenantId, [])} and ${table.name}.id = checked.id
          where (select count(*) from found) < ${limit} and (place = ${most} or is_out_of_time) and is_met is not null
          order by place desc limit 1)
        select false as is_last, found.* from found union all select true, last.* from last order by is_last, place`,
    )
    const last = rows.find((row) => row.is_last) ?? null
    return { rows: rows.filter((row) => row !== last), last }
  })
}

/** The from item of a source, with its condition. */
function rowsFrom<Row extends VersionedRow>(
  { table, among }: Source<Row>,
  { rows: inOrder }: Order<Row>,
  where: Sql,
  after: SortKey | null,
  most: number,
): Sql {
  if (among === null) return inOrder?.(where, after, most) ?? sql`${table.name} where ${where}`
  // A join, so that PostgreSQL reads these rows and sorts them.
  return sql`unnest(${among}::uuid[]) candidate (candidate_id) join ${table.name} on ${table.name}.id = candidate_id where ${where}`
}

/**
 * The tables `checked`, with the rows of a query in its order (`place`, from 1) and whether they meet the filter, and
 * `met`. `is_met` is null from the row on for which no time was left; the first row is always checked.
 */
function checked<Row extends VersionedRow>(
  tenantId: string,
  { table, filter }: FilteredList<Row>,
  rows: Sql,
  by: Sql,
  withinMs: number,
): Sql {
  return sql`next as materialized (select ${table.name}.id, row_number() over (order by ${by}) as place from ${rows}),
    tried as materialized (select id, place, case when place = 1 or ${isInTime(withinMs)} then (
      select ${filter} from ${table.name} where ${whole(table, tenantId, [])} and ${table.name}.id = next.id) end as is_met from next),
    checked as materialized (select id, place, is_met, exists (select 1 from tried where is_met is null) as is_out_of_time from tried),
    met as (select id, place from checked where is_met)`
}

/**
 * Reads rows with their own columns, and then those of other tables: one statement with both would take longer to plan
 * than to run. The rows keep the order and the values of the first statement. If one was changed in between, a single
 * statement reads all columns.
 */
async function withColumns<Row extends VersionedRow, Read extends { rows: Row[] }>(
  db: Db,
  tenantId: string,
  table: Table<Row>,
  read: (columns: Sql) => Promise<Read>,
): Promise<Read> {
  const own = await read(sql`${table.name}.*`)
  const ids = own.rows.map(({ id }) => id)
  const whole = new Map(
    ids.length === 0 ? [] : (await table.findMany(db, tenantId, ids)).map((row) => [row.id, row]),
  )
  if (own.rows.some(({ id, version }) => whole.get(id)?.version !== version))
    return read(table.columns(tenantId))
  return { ...own, rows: own.rows.map((row) => kept(row, whole.get(row.id)!)) }
}

/** A row with the values of the first statement: some columns change without the version. */
function kept<Row extends object>(first: Row, whole: Row): Row {
  const names = Object.keys(whole) as (keyof Row)[]
  return Object.fromEntries(names.map((name) => [name, name in first ? first[name] : whole[name]])) as Row
}

const whole = <Row extends VersionedRow>(table: Table<Row>, tenantId: string, conditions: Sql[]): Sql =>
  join([sql`${table.name}.tenant_id = ${tenantId}`, ...conditions], and)

/** At most so many conditions are asked for their candidates. */
const mostAsked = 6

/** The ids of the smallest set of candidates; null if all are large, or take too long to find. */
async function fewestCandidates(
  db: Db,
  candidates: Sql[],
  { mostCandidates, candidatesMs }: FilterLimits,
): Promise<string[] | null> {
  const endsAtMs = performance.now() + candidatesMs
  let fewest: string[] | null = null
  let most = mostCandidates + 1
  for (const each of candidates.slice(0, mostAsked)) {
    const leftMs = endsAtMs - performance.now()
    const found =
      leftMs > 0
        ? await db.rowsWithin<{ count: number; ids: string[] | null }>(
            sql`select count(*) as count, json_agg(distinct id) as ids from (select candidate.id from ${each} candidate limit ${most}) few`,
            leftMs,
          )
        : null
    if (found === null) break
    const [{ count, ids }] = found as [{ count: number; ids: string[] | null }]
    if (count >= most) continue
    fewest = ids ?? []
    most = count // a further set is of use only if it is smaller
    if (most <= 100) break
  }
  return fewest
}

/** A number of rows, and whether there may be more. */
export type Counted = { count: number; more: boolean }

/**
 * Counts the rows that meet a filter, up to `atMost`, and as far as the time of a page allows.
 * @param order newest first
 */
export async function countFiltered<Row extends VersionedRow>(
  db: Db,
  tenantId: string,
  list: FilteredList<Row>,
  order: Order<Row>,
  atMost: number,
  limits = filterLimits,
): Promise<Counted> {
  const endsAtMs = performance.now() + limits.pageMs
  const inTime = async <Result>(run: () => Promise<Result>): Promise<Result | null> => {
    if (!limits.hasTurn) return taking(tenantId, endsAtMs, true, run)
    return performance.now() < endsAtMs ? run() : null
  }
  const first =
    list.joint.length === 0 ? null : await inTime(() => countFirst(db, tenantId, list, atMost, limits))
  const atLeast = first?.met ?? 0
  if (first?.is_whole || atLeast > atMost) return { count: Math.min(atLeast, atMost), more: atLeast > atMost }
  const among = await inTime(() => fewestCandidates(db, list.candidates, limits))
  const source = { ...list, among }
  let [count, after] = [0, null as string | null]
  for (;;) {
    const part = { after, most: limits.mostRows, withinMs: limits.statementMs }
    const read = await inTime(() => countSome(db, tenantId, source, order, part))
    if (read === null) return { count: Math.max(count, atLeast), more: true }
    count += read.count
    if (count > atMost) return { count: atMost, more: true }
    if (read.last === null) return { count, more: false }
    after = read.last
  }
}

/**
 * Counts among the first rows that an index finds, in any order, until there are more than `atMost` or the time is
 * over. `is_whole` is true if these were all rows, and all were checked.
 */
async function countFirst<Row extends VersionedRow>(
  db: Db,
  tenantId: string,
  { table, joint, filter }: FilteredList<Row>,
  atMost: number,
  { firstCounted, statementMs }: FilterLimits,
): Promise<{ met: number; is_whole: boolean }> {
  const inTime = isInTime(statementMs)
  const first = (columns: Sql) =>
    sql`(select ${columns} from ${table.name} where ${whole(table, tenantId, joint)} limit ${firstCounted})`
  const [row] = await db.slowRows<{ met: number; is_whole: boolean }>(
    sql`with met as materialized (
        select 1 from ${first(sql`*`)} ${table.name} where case when ${inTime} then ${filter} end limit ${atMost + 1}),
      counted as materialized (select count(*) as met from met)
      select met, met <= ${atMost} and ${inTime} and (select count(*) from ${first(sql`1`)} each) < ${firstCounted} as is_whole
      from counted`,
  )
  return row!
}

const isInTime = (withinMs: number): Sql =>
  sql`clock_timestamp() - statement_timestamp() < ${withinMs} * interval '1 millisecond'`

/** Counts among the next rows; `last` is null if no more rows follow. */
async function countSome<Row extends VersionedRow>(
  db: Db,
  tenantId: string,
  source: Source<Row>,
  order: Order<Row>,
  { after, most, withinMs }: { after: string | null; most: number; withinMs: number },
): Promise<{ count: number; last: string | null }> {
  const { table, conditions } = source
  const where = whole(table, tenantId, after === null ? conditions : [...conditions, order.after([after])])
  const from = rowsFrom(source, order, where, null, most)
  const [row] = await db.slowRows<{ count: number; last: string | null }>(
    sql`with ${checked(tenantId, source, sql`${from} order by ${order.by} limit ${most}`, order.by, withinMs)}
      select (select count(*) from met) as count, (select id from checked where is_met is not null
        and (is_out_of_time or (select count(*) from checked) = ${most}) order by place desc limit 1) as last`,
  )
  return row!
}

/**
 * Calls a function that sends several statements of this kind when the environment has a turn.
 * @throws ApiError `unavailable` if there was none for a long time
 */
export async function inTurn<Result>(tenantId: string, run: () => Promise<Result>): Promise<Result> {
  return (await taking(tenantId, Number.POSITIVE_INFINITY, false, run))!
}

/** The longest wait of a request that has nothing to answer yet. */
const patienceMs = 5_000

/** The statements of one environment that check many rows at once, in this process. */
const slots = openSemaphore({ limitOfKey: 3 })

/**
 * Runs a statement that may take long when the environment has a turn, so that one environment cannot occupy all
 * connections for slow statements.
 * @param endsAtMs the time after which it is no longer run, of the monotonic clock
 * @param mayEnd true if the caller can answer without the result
 * @returns null if the time was over before
 * @throws ApiError `unavailable` if there was no turn for a long time, and the caller has nothing to answer
 */
async function taking<Result>(
  tenantId: string,
  endsAtMs: number,
  mayEnd: boolean,
  run: () => Promise<Result>,
): Promise<Result | null> {
  const waitMs = mayEnd ? endsAtMs - performance.now() : patienceMs
  const leave = waitMs > 0 ? await slots.acquire(tenantId, waitMs) : null
  if (!leave) {
    if (mayEnd) return null
    throw unavailable('too_many_at_once')
  }
  try {
    return await run()
  } finally {
    leave()
  }
}
