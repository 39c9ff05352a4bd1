/*
 * Filters, `{"all": […]}`, `{"any": […]}`, `{"not": …}` and conditions, for lists, views and webhook endpoints. A plain
 * object is as good as one that `where` builds, which knows the fields, their operators and values.
 */

export type FilterOperator =
  | 'is'
  | 'is_not'
  | 'in'
  | 'not_in'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'exists'
  | 'contains'
  | 'starts_with'
  | 'within'

type Scalar = string | number | boolean

/** A condition on one field. */
export type FilterCondition = { field: string; op: FilterOperator; value: Scalar | readonly Scalar[] }

/** A filter: conditions, and combinations of them. */
export type FilterTree =
  | { all: readonly FilterTree[] }
  | { any: readonly FilterTree[] }
  | { not: FilterTree }
  | FilterCondition

/** A time in RFC 3339, a date, which is its midnight in UTC, or a `Date`. */
export type FilterTime = string | Date

/** Makes conditions on a field. */
type Conditions<Value> = {
  /** Has the field a value? Default: true. */
  exists(exists?: boolean): FilterCondition
  is(value: Value): FilterCondition
  /** Also met by objects without a value. */
  isNot(value: Value): FilterCondition
  /** One of up to 100 values. */
  in(values: readonly Value[]): FilterCondition
  /** None of up to 100 values; also met by objects without a value. */
  notIn(values: readonly Value[]): FilterCondition
  gt(value: Value): FilterCondition
  gte(value: Value): FilterCondition
  lt(value: Value): FilterCondition
  lte(value: Value): FilterCondition
  /** `-P7D` is the last seven days, `PT8H` the next eight hours. Units are W, D, H, M and S. */
  within(period: string): FilterCondition
  /** A text contains this text, in any case; a list has this item. */
  contains(value: string): FilterCondition
  startsWith(text: string): FilterCondition
}

const operators: Record<keyof Conditions<never>, FilterOperator> = {
  exists: 'exists',
  is: 'is',
  isNot: 'is_not',
  in: 'in',
  notIn: 'not_in',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
  within: 'within',
  contains: 'contains',
  startsWith: 'starts_with',
}

const plain = (value: Scalar | Date): Scalar => (value instanceof Date ? value.toISOString() : value)

/** Makes the fields that have these conditions. */
const fieldsWith =
  <Name extends keyof Conditions<never>>(...names: Name[]) =>
  <Value>(field: string): Pick<Conditions<Value>, Name> => {
    const conditionOf =
      (name: Name) =>
      (value: Scalar | Date | readonly (Scalar | Date)[]): FilterCondition => ({
        field,
        op: operators[name],
        value: Array.isArray(value) ? value.map(plain) : plain(value as Scalar | Date),
      })
    const conditions = Object.fromEntries(names.map((name) => [name, conditionOf(name)]))
    if (!('exists' in conditions)) return conditions as never
    return { ...conditions, exists: (exists = true) => conditionOf('exists' as Name)(exists) } as never
  }

const value = ['exists', 'is', 'isNot'] as const
const choice = [...value, 'in', 'notIn'] as const
const ordered = [...choice, 'gt', 'gte', 'lt', 'lte'] as const
const withChoice = fieldsWith(...choice)
const withOrder = fieldsWith(...ordered)

export const text = fieldsWith(...choice, 'contains', 'startsWith')<string>
export const number = withOrder<number>
export const time = fieldsWith(...ordered, 'within')<FilterTime>
export const id = withChoice<string>
export const oneOf = <Value extends string>(field: string) => withChoice<Value>(field)
export const list = fieldsWith('exists', 'contains')<string>
export const boolean = fieldsWith(...value)<boolean>
export const me = fieldsWith('is', 'isNot')<'me'>
/** A custom field. Its type, which the server knows, decides which operators and values are possible. */
export const customField = fieldsWith(...ordered, 'within', 'contains', 'startsWith')<Scalar | Date>

export const connectives = {
  /** Met if all of the filters are. */
  all: (...filters: FilterTree[]): FilterTree => ({ all: filters }),
  /** Met if one of the filters is. */
  any: (...filters: FilterTree[]): FilterTree => ({ any: filters }),
  /** Met if the filter is not. */
  not: (filter: FilterTree): FilterTree => ({ not: filter }),
}
