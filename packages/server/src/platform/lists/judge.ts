import type { Field, Leaf, Value } from './field.ts'
import type { Filter } from './filter.ts'
import { caseless, keyOf } from './folding.ts'

/** The values of a field in an object, as leaves have them: none if it is missing, several if it is a list. */
export type ValuesOf = (name: string, field: Field) => readonly Value[]

/**
 * Does an object meet a filter? Two-valued: a leaf over a missing value is false, except `is_not`, `not_in` and
 * `exists: false`.
 * @param now Unix ms, for `within`
 */
export function meets(filter: Filter, valuesOf: ValuesOf, now: number): boolean {
  if ('all' in filter) return filter.all.every((node) => meets(node, valuesOf, now))
  if ('any' in filter) return filter.any.some((node) => meets(node, valuesOf, now))
  if ('not' in filter) return !meets(filter.not, valuesOf, now)
  return leafMeets(filter, valuesOf(filter.field, filter.of), now)
}

function leafMeets(leaf: Leaf, present: readonly Value[], now: number): boolean {
  const { op, of: field, values } = leaf
  const [value] = values as [Value]
  const key = (each: Value): Value => (typeof each === 'string' ? keyOf(field.folding, each) : each)
  const caselessKey = (each: Value): string => caseless(key(each) as string)
  const isOneOf = () => {
    const wanted = new Set(values.map(key))
    return present.some((each) => wanted.has(key(each)))
  }
  const some = (test: (each: never) => boolean) => present.some(test as (each: Value) => boolean)
  switch (op) {
    case 'is':
    case 'in':
      return isOneOf()
    case 'is_not':
    case 'not_in':
      return !isOneOf()
    case 'exists':
      return present.length > 0 === value
    case 'gt':
      return some((each: Value) => each > value)
    case 'gte':
      return some((each: Value) => each >= value)
    case 'lt':
      return some((each: Value) => each < value)
    case 'lte':
      return some((each: Value) => each <= value)
    case 'contains':
      return field.kind === 'list'
        ? isOneOf()
        : some((each: string) => caselessKey(each).includes(caselessKey(value)))
    case 'starts_with':
      return field.folding
        ? some((each: string) => caselessKey(each).startsWith(caselessKey(value)))
        : some((each: string) => each.startsWith(value as string))
    case 'within': {
      const [from, to] = [now, now + (value as number)].toSorted((one, other) => one - other) as [
        number,
        number,
      ]
      return some((each: string) => Date.parse(each) >= from && Date.parse(each) <= to)
    }
  }
}
