import { conditionOfEach } from '../../../../platform/lists/condition.ts'
import {
  type At,
  type Check,
  type Field,
  type Leaf,
  oneValue,
  someValues,
} from '../../../../platform/lists/field.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { identifier, Sql, sql } from '../../../../platform/postgres/sql.ts'

/* How fields of conversations are read, found by indexes, and checked. */

/** A check of one column, which walks make for each conversation that they read. */
export type ColumnCheck = Omit<Check, 'test'> & { column: string; type: Sql; test(value: never): Sql }

type Facets<Names extends keyof Field> = Required<Pick<Field, Names>>

export const value = (expression: Sql): Facets<'some'> => ({ some: (condition) => condition(expression) })

export const computed = (expression: (at: At) => Sql): Facets<'some'> => ({
  some: (condition, at) => condition(expression(at)),
})

export const column = (name: string): Facets<'some'> => value(sql`conversations.${identifier(name)}`)

/** Candidates by conditions that have an index. */
export const found = (condition: (leaf: Leaf, at: At) => Sql | undefined): Facets<'candidates'> => ({
  candidates(leaves, at) {
    const conditions = conditionOfEach(leaves, (leaf) => condition(leaf, at))
    return conditions && sql`select id from conversations where tenant_id = ${at.tenantId} and ${conditions}`
  },
})

export const equals = (name: string, type: Sql): ColumnCheck => ({
  as: name,
  column: name,
  type,
  valueOf: oneValue,
  test: (value: unknown) => sql`${identifier(name)} = ${value}`,
})

export const text = sql`text`
export const uuid = sql`uuid`

export const columnWithIndex = (name: string, type: Sql): Facets<'some' | 'candidates'> => ({
  ...column(name),
  ...found((leaf) => {
    const values = someValues(leaf)
    return values && sql`${identifier(name)} = any(${values}::${type}[])`
  }),
})

export const reference = (name: string): Facets<'some' | 'candidates' | 'checks'> => ({
  ...columnWithIndex(name, uuid),
  checks: [equals(name, uuid)],
})

/** Most conversations have the usual value, and the index leaves it out. */
export const mostly = (name: string, usual: string): Facets<'some' | 'candidates' | 'checks'> => ({
  ...column(name),
  ...found((leaf) => {
    const values = someValues(leaf)
    return values && !values.includes(usual)
      ? sql`${identifier(name)} = any(${values}::text[]) and ${identifier(name)} <> ${usual}`
      : undefined
  }),
  checks: [equals(name, text)],
})

/** Ids contain the millisecond of creation. */
export const createdWithin = (
  as: string,
  op: Leaf['op'],
  idOf: (ms: number) => string,
  compared: Sql,
): ColumnCheck => ({
  as,
  column: 'id',
  type: uuid,
  valueOf: (leaf) => (leaf.op === op ? idOf(Date.parse(String(leaf.values[0]))) : undefined),
  test: (value: unknown) => sql`id ${compared} ${value}`,
})

/**
 * The ids of the end user with which conversations are stored, and the external id of those from before end users, if
 * there are any.
 */
type StoredIds = string | string[] | { ids: string[]; unlinked: string }

export const oneOrSeveral = (ids: string[]): string | string[] | null =>
  ids.length > 1 ? ids : (ids[0] ?? null)

export const ofEndUser = (
  as: string,
  resolve: (db: Db, tenantId: string, value: string) => Promise<StoredIds | null>,
): ColumnCheck => ({
  as,
  column: 'end_user_id',
  type: uuid,
  valueOf: oneValue,
  resolve,
  test(stored: StoredIds | Sql) {
    if (Array.isArray(stored)) return sql`end_user_id = any(${stored}::uuid[])`
    if (typeof stored === 'string' || stored instanceof Sql) return sql`end_user_id = ${stored}`
    const { ids, unlinked } = stored
    return sql`(end_user_id = any(${ids}::uuid[]) or (end_user_id is null and external_user_id = ${unlinked}))`
  },
})

export const statusCheck: Check = {
  as: 'status',
  valueOf: (leaf) => someValues(leaf) && [...new Set(leaf.values)],
  test: (statuses: string[]) =>
    statuses.length === 1 ? sql`status = ${statuses[0]}` : sql`status = any(${statuses}::text[])`,
}
