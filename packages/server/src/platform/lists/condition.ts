import { type Instant, toInstant, toUnixMs } from '../kernel/clock.ts'
import { firstUuidAt } from '../kernel/ids.ts'
import { and, join, type Sql, sql } from '../postgres/sql.ts'
import type { At, Kind, Leaf } from './field.ts'
import type { Filter } from './filter.ts'
import { caselessIn, keyOf } from './folding.ts'

/** The conditions of all leaves that an index serves; undefined if there are none. */
export function conditionOfEach(leaves: Leaf[], condition: (leaf: Leaf) => Sql | undefined): Sql | undefined {
  const conditions = leaves.flatMap((leaf) => condition(leaf) ?? [])
  return conditions.length === 0 ? undefined : sql`(${join(conditions, and)})`
}

/** The condition of a filter: true or false for every row, never null. */
export function conditionOf(filter: Filter, at: At): Sql {
  if ('all' in filter) return joined(filter.all, and, at)
  if ('any' in filter) return joined(filter.any, sql` or `, at)
  if ('not' in filter) return sql`not ${conditionOf(filter.not, at)}`
  return leafCondition(filter, at)
}

const joined = (filters: Filter[], by: Sql, at: At): Sql =>
  sql`(${join(
    filters.map((each) => conditionOf(each, at)),
    by,
  )})`

const isTrue = (condition: Sql): Sql => sql`coalesce(${condition}, false)`

function leafCondition(leaf: Leaf, at: At): Sql {
  const { op, of } = leaf
  const some = (condition: (value: Sql) => Sql) => isTrue(of.some(condition, at))
  if (op === 'exists') {
    const exists = some((value) => sql`${value} is not null`)
    return leaf.values[0] === true ? exists : sql`not ${exists}`
  }
  if (op === 'is_not' || op === 'not_in') {
    return sql`not ${some((value) => isOneOf(leaf, value))}`
  }
  return some((value) => test(leaf, value, at.now))
}

const types: Record<Kind, Sql> = {
  text: sql`text`,
  enum: sql`text`,
  list: sql`text`,
  number: sql`float8`,
  time: sql`timestamptz`,
  id: sql`uuid`,
  boolean: sql`boolean`,
  me: sql`uuid`,
}

const typed = ({ of: { kind } }: Leaf, value: unknown): Sql => sql`${value}::${types[kind]}`

function isOneOf(leaf: Leaf, value: Sql): Sql {
  const { of: field, values } = leaf
  const wanted = field.folding ? values.map((each) => keyOf(field.folding, each as string)) : values
  return wanted.length === 1
    ? sql`${value} = ${typed(leaf, wanted[0])}`
    : sql`${value} = any(${wanted}::${types[field.kind]}[])`
}

function test(leaf: Leaf, value: Sql, now: Instant): Sql {
  const { op, of: field, values } = leaf
  const wanted = () => typed(leaf, values[0])
  const caselessWanted = () => caselessIn(typed(leaf, keyOf(field.folding, values[0] as string)))
  switch (op) {
    case 'gt':
      return sql`${value} > ${wanted()}`
    case 'gte':
      return sql`${value} >= ${wanted()}`
    case 'lt':
      return sql`${value} < ${wanted()}`
    case 'lte':
      return sql`${value} <= ${wanted()}`
    case 'contains':
      return field.kind === 'list'
        ? isOneOf(leaf, value)
        : sql`strpos(${caselessIn(value)}, ${caselessWanted()}) > 0`
    case 'starts_with':
      return field.folding
        ? sql`starts_with(${caselessIn(value)}, ${caselessWanted()})`
        : sql`starts_with(${value}, ${wanted()})`
    case 'within': {
      const [from, to] = periodOf(leaf, now)
      return sql`${value} between ${from}::timestamptz and ${to}::timestamptz`
    }
    default:
      return isOneOf(leaf, value)
  }
}

/** The two ends of `within`. */
export function periodOf({ values }: Leaf, now: Instant): [from: Instant, to: Instant] {
  const ends = [toUnixMs(now), toUnixMs(now) + (values[0] as number)]
  return ends.toSorted((one, other) => one - other).map(clamped) as [Instant, Instant]
}

/** PostgreSQL and the API have the years 1 to 9999. */
const clamped = (unixMs: number) =>
  toInstant(Math.min(Math.max(unixMs, -62_135_596_800_000), 253_402_300_799_999))

/** The ids of objects created at the times of a leaf, as a condition on ids; undefined for other operators. */
export function idsCreatedFor(id: Sql, leaf: Leaf, now: Instant): Sql | undefined {
  const first = (instant: unknown, more = 0) => firstUuidAt(Date.parse(String(instant)) + more)
  const [value] = leaf.values
  switch (leaf.op) {
    case 'gt':
    case 'gte':
      return sql`${id} >= ${first(value)}::uuid`
    case 'lt':
    case 'lte':
      return sql`${id} < ${first(value, 1)}::uuid`
    case 'is':
      return sql`${id} >= ${first(value)}::uuid and ${id} < ${first(value, 1)}::uuid`
    case 'within': {
      const [from, to] = periodOf(leaf, now)
      return sql`${id} >= ${first(from)}::uuid and ${id} < ${first(to, 1)}::uuid`
    }
    default:
      return undefined
  }
}

/**
 * A query for the ids of candidates: all objects that meet the filter, and perhaps others. Of several conditions of
 * which each has an index, all are returned, because each alone suffices. Empty if no index serves the filter.
 */
export function candidatesOf(filter: Filter, at: At): Sql[] {
  if ('all' in filter) {
    const leaves = Map.groupBy(leavesOfAll(filter), ({ field }) => field)
    const ofFields = [...leaves.values()].flatMap((each) => each[0]!.of.candidates?.(each, at) ?? [])
    return [
      ...ofFields.map((found) => sql`(${found})`),
      ...filter.all.flatMap((each) => ('any' in each ? candidatesOf(each, at) : [])),
    ]
  }
  if ('any' in filter) {
    const each = filter.any.map((one) => candidatesOf(one, at)[0])
    return each.every((found) => found !== undefined) ? [sql`(${join(each as Sql[], sql` union all `)})`] : []
  }
  if ('not' in filter) return []
  const found = filter.of.candidates?.([filter], at)
  return found ? [sql`(${found})`] : []
}

/** The leaves that all have to be met. */
const leavesOfAll = (filter: Filter): Leaf[] => {
  if ('all' in filter) return filter.all.flatMap(leavesOfAll)
  return 'field' in filter ? [filter] : []
}
