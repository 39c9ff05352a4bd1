import { type Instant, toInstant, toUnixMs } from '../kernel/clock.ts'
import { and, join, type Sql, sql } from '../postgres/sql.ts'
import type { Kind } from './fields.ts'
import { caselessIn, keyOf } from './folding.ts'
import type { Filter, Leaf } from './tree.ts'

/** How a field is read in SQL. */
export type Column = {
  /**
   * The condition that one of the values of the field meets a condition. `condition` receives the value in the type of
   * its kind: text, float8, timestamptz, uuid or boolean; null is no value. If the field has a folding, it is the key.
   */
  some(condition: (value: Sql) => Sql): Sql
  /**
   * A query for the ids (column `id`) of objects, by an index: of all that meet each of the leaves, and perhaps of
   * others. Undefined if no index serves them.
   */
  candidates?(leaves: Leaf[]): Sql | undefined
}

/** Candidates by one leaf, the first that an index serves. */
export const byOneLeaf =
  (candidates: (leaf: Leaf) => Sql | undefined) =>
  (leaves: Leaf[]): Sql | undefined => {
    for (const leaf of leaves) {
      const found = candidates(leaf)
      if (found) return found
    }
    return undefined
  }

/** The conditions of all leaves that an index serves; undefined if there are none. */
export function conditionOfEach(leaves: Leaf[], condition: (leaf: Leaf) => Sql | undefined): Sql | undefined {
  const conditions = leaves.flatMap((leaf) => condition(leaf) ?? [])
  return conditions.length === 0 ? undefined : sql`(${join(conditions, and)})`
}

/** A column whose value is an expression. */
export const valueColumn = (value: Sql, candidates?: Column['candidates']): Column => ({
  some: (condition) => condition(value),
  ...(candidates ? { candidates } : {}),
})

export type Columns = (field: string) => Column

/** @param now for `within` */
type Compiling = { columns: Columns; now: Instant }

/** The condition of a filter: true or false for every row, never null. */
export function conditionOf(filter: Filter, compiling: Compiling): Sql {
  if ('all' in filter) return joined(filter.all, and, compiling)
  if ('any' in filter) return joined(filter.any, sql` or `, compiling)
  if ('not' in filter) return sql`not ${conditionOf(filter.not, compiling)}`
  return leafCondition(filter, compiling)
}

const joined = (filters: Filter[], by: Sql, compiling: Compiling): Sql =>
  sql`(${join(
    filters.map((each) => conditionOf(each, compiling)),
    by,
  )})`

const isTrue = (condition: Sql): Sql => sql`coalesce(${condition}, false)`

function leafCondition(leaf: Leaf, { columns, now }: Compiling): Sql {
  const { some } = columns(leaf.field)
  const { op } = leaf
  if (op === 'exists') {
    const exists = isTrue(some((value) => sql`${value} is not null`))
    return leaf.values[0] === true ? exists : sql`not ${exists}`
  }
  if (op === 'is_not' || op === 'not_in') {
    const positive = isTrue(some((value) => isOneOf(leaf, value)))
    return sql`not ${positive}`
  }
  return isTrue(some((value) => test(leaf, value, now)))
}

const types: Record<Kind, Sql> = {
  text: sql`text`,
  enum: sql`text`,
  list: sql`text`,
  number: sql`float8`,
  time: sql`timestamptz`,
  id: sql`uuid`,
  boolean: sql`boolean`,
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

/**
 * A query for the ids of candidates: all objects that meet the filter, and perhaps others. Of several conditions of
 * which each has an index, all are returned, because each alone suffices. Empty if no index serves the filter.
 */
export function candidatesOf(filter: Filter, columns: Columns): Sql[] {
  if ('all' in filter) {
    const leaves = Map.groupBy(leavesOfAll(filter), ({ field }) => field)
    const ofFields = [...leaves].flatMap(([field, each]) => columns(field).candidates?.(each) ?? [])
    return [
      ...ofFields.map((found) => sql`(${found})`),
      ...filter.all.flatMap((each) => ('any' in each ? candidatesOf(each, columns) : [])),
    ]
  }
  if ('any' in filter) {
    const each = filter.any.map((one) => candidatesOf(one, columns)[0])
    return each.every((found) => found !== undefined) ? [sql`(${join(each as Sql[], sql` union all `)})`] : []
  }
  if ('not' in filter) return []
  const found = columns(filter.field).candidates?.([filter])
  return found ? [sql`(${found})`] : []
}

/** The leaves that all have to be met. */
const leavesOfAll = (filter: Filter): Leaf[] => {
  if ('all' in filter) return filter.all.flatMap(leavesOfAll)
  return 'field' in filter ? [filter] : []
}
