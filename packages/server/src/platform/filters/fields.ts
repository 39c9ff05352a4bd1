import { nearest } from '../kernel/spelling.ts'
import type { Folding } from './folding.ts'

/** The kinds of values that fields have. A `list` holds texts, such as tags. */
export type Kind = 'text' | 'number' | 'time' | 'id' | 'enum' | 'list' | 'boolean'

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
}

/** A field that filters can name. */
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
  /** True if `me` stands for the operator of `Backline-Operator`. */
  takesMe?: true
}

/** The fields that filters of one type of objects can name. */
export type Fields = {
  find(name: string): Field | undefined
  names(): string[]
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
