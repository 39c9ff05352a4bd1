import type { Instant } from '../kernel/clock.ts'
import { nearest } from '../kernel/spelling.ts'
import type { Db } from '../postgres/database.ts'
import type { Sql } from '../postgres/sql.ts'
import type { Folding } from './folding.ts'

/** The kinds of values that fields have. A `list` holds texts, such as tags; `me` is the operator of the request. */
export type Kind = 'text' | 'number' | 'time' | 'id' | 'enum' | 'list' | 'boolean' | 'me'

export const operators = [
  'is',
  'is_not',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'contains',
  'starts_with',
  'within',
] as const
export type Operator = (typeof operators)[number]

const equality = ['is', 'is_not', 'in', 'not_in', 'exists'] as const
const order = ['gt', 'gte', 'lt', 'lte'] as const

/** The operators of each kind of value. */
export const operatorsOf: Record<Kind, readonly Operator[]> = {
  text: [...equality, 'contains', 'starts_with'],
  number: [...equality, ...order],
  time: [...equality, ...order, 'within'],
  id: equality,
  enum: equality,
  list: ['contains', 'exists'],
  boolean: ['is', 'is_not', 'exists'],
  me: ['is', 'is_not'],
}

export type Value = string | number | boolean

/**
 * A condition on one field. `values` has one value for most operators: a text, number or boolean, an RFC 3339 time in
 * UTC for times, a UUID for ids. For `within` it is a number of milliseconds, negative for the past.
 */
export type Leaf = { field: string; of: Field; op: Operator; values: Value[] }

/** The environment and the time of a request. */
export type At = { tenantId: string; now: Instant }

/** A field of a type of objects: what clients know of it, and how conditions on it are decided. */
export type Field = {
  kind: Kind
  description: string
  /** The TypeID prefix of an `id`. */
  prefix?: string
  /** The values of an `enum`, or of a `list` with fixed values. */
  values?: readonly string[]
  /** How names and addresses are compared. */
  folding?: Folding
  /** The scope that a condition on another object, such as the end user of a conversation, requires. */
  scope?: string
  /** True if the value of an object can change without an event, such as with time. */
  changesSilently?: true
  /** True if `me` stands for the operator of `Backline-Operator`. */
  takesMe?: true
  /**
   * The condition that the field has a value that meets a condition, for a row. `condition` receives the value in the
   * type of its kind: text, float8, timestamptz, uuid or boolean; null is no value. With a folding, it is the key.
   */
  some(condition: (value: Sql) => Sql, at: At): Sql
  /**
   * A query for the ids (column `id`) of objects, by an index: of all that meet each of the leaves, and perhaps of
   * others. Undefined if no index serves them.
   */
  candidates?(leaves: Leaf[], at: At): Sql | undefined
  /** The conditions that a statement with an order and a limit can contain. */
  checks?: readonly Check[]
  /** The values in an object in memory; by default those of its member with the name of the field. */
  valuesIn?(object: never): readonly unknown[]
}

/**
 * A condition that costs no more than the row, or has an index. Unlike the condition of a tree, it may be null in place
 * of false, so that PostgreSQL can use indexes.
 */
export type Check = {
  /** The name; a list has each check once. */
  as: string
  /** The value of a leaf with this condition; undefined for other leaves. */
  valueOf(leaf: Leaf): unknown
  /** Reads what is tested in place of the value; null if no row can pass. */
  resolve?(db: Db, tenantId: string, value: never): Promise<unknown>
  /** @param value a parameter, or an expression */
  test(value: never, at: At): Sql
}

/** The value of a leaf that means equality with one value. */
export const oneValue = ({ op, values }: Leaf): Value | undefined =>
  op === 'is' || (op === 'in' && values.length === 1) ? values[0] : undefined

/** All values of a leaf that means equality with one of some values. */
export const someValues = ({ op, values }: Leaf): Value[] | undefined =>
  op === 'is' || op === 'in' ? values : undefined

/** Candidates by one leaf, the first that an index serves. */
export const byOneLeaf =
  (candidates: (leaf: Leaf, at: At) => Sql | undefined): NonNullable<Field['candidates']> =>
  (leaves, at) => {
    for (const leaf of leaves) {
      const found = candidates(leaf, at)
      if (found) return found
    }
    return undefined
  }

/** The fields that filters of one type of objects can name. */
export type Fields = {
  find(name: string): Field | undefined
  names(): string[]
  /** True for the name of a field that there may be, though it is not known here. */
  mayHave?(name: string): boolean
}

export const fieldsOf = (table: Readonly<Record<string, Field>>): Fields => ({
  find: (name) => (Object.hasOwn(table, name) ? table[name] : undefined),
  names: () => Object.keys(table),
})

/** Sentence about the closest known field, or where all of them are. */
export function suggestionFor(name: string, fields: Fields): string {
  const similar = nearest(name, fields.names())
  return similar === null ? '' : `; did you mean ${similar}?`
}
