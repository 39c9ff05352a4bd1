import { parseInstant } from '../kernel/clock.ts'
import type { FieldErrorCode } from '../kernel/errors.ts'
import { typeOfPrefix, uuidOf } from '../kernel/ids.ts'
import { hasRepeatedMember, shapeOfJson } from '../kernel/json.ts'
import { nounOf, withArticle } from '../kernel/names.ts'
import {
  type Field,
  type Fields,
  type Leaf,
  type Operator,
  operators,
  operatorsOf,
  suggestionFor,
} from './field.ts'
import { parsePeriod } from './period.ts'

/*
 * A filter as JSON: `{"all": […]}`, `{"any": […]}`, `{"not": …}` and leaves `{"field", "op", "value"}`. It is read
 * once, with all faults at once; what follows works with a tree in which every leaf is known to be valid.
 */

export const maxLevels = 4
export const maxLeaves = 30
const maxListedValues = 100
/** In bytes of JSON. */
export const maxFilterBytes = 4 * 1024
/** In code points: that of the longest texts that objects have, such as URLs. */
const maxTextLength = 2_048
/** As many as a response has. */
const maxFaults = 100

export type Filter = { all: Filter[] } | { any: Filter[] } | { not: Filter } | Leaf

/** A fault, with the JSON Pointer of the node, or of the part of a leaf, relative to the filter. */
export type Fault = { pointer: string; code: FieldErrorCode; detail: string }

export type Reading = {
  fields: Fields
  /** The operator for whom `me` stands, as a UUID; null if `me` has no meaning. */
  me: string | null
  /** Accepts `me` without an operator, in a filter that is stored and read later. */
  acceptsMe?: boolean
  /** Says why `me` has no meaning, if that is not for want of `Backline-Operator`. */
  whyNoMe?: string
}

/** @returns the tree, or every fault of it */
export function readFilter(json: unknown, reading: Reading): { filter: Filter } | { faults: Fault[] } {
  const reader = new Reader(reading)
  const size = Buffer.byteLength(JSON.stringify(json) ?? '')
  if (size > maxFilterBytes) {
    const detail = `must have at most ${maxFilterBytes} bytes as JSON, and has ${size}`
    return { faults: [{ pointer: '', code: 'too_long', detail }] }
  }
  const filter = reader.node(json, '', 1)
  return reader.faults.length > 0 || filter === null ? { faults: reader.faults } : { filter }
}

/** The text of a filter in a query. */
export function readFilterText(text: string, reading: Reading): { filter: Filter } | { faults: Fault[] } {
  const size = Buffer.byteLength(text)
  if (size > maxFilterBytes) {
    const detail = `must have at most ${maxFilterBytes} bytes, and has ${size}`
    return { faults: [{ pointer: '', code: 'too_long', detail }] }
  }
  const refused = (detail: string) => ({
    faults: [{ pointer: '', code: 'bad_format' as const, detail }],
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refused('must be JSON')
  }
  const shape = shapeOfJson(Buffer.from(text), {
    values: maxFilterBytes,
    membersOfOne: maxFilterBytes,
    levels: maxFilterBytes,
  })
  if (hasRepeatedMember(shape, json))
    return refused('must not have two members with the same name in an object')
  return readFilter(json, reading)
}

const nodeNote = 'must be {"all": […]}, {"any": […]}, {"not": …} or {"field": …, "op": …, "value": …}'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

class Reader {
  readonly faults: Fault[] = []
  readonly #reading: Reading
  #leaves = 0

  constructor(reading: Reading) {
    this.#reading = reading
  }

  #fault(pointer: string, code: FieldErrorCode, detail: string): null {
    if (this.faults.length < maxFaults) this.faults.push({ pointer, code, detail })
    return null
  }

  node(json: unknown, pointer: string, level: number): Filter | null {
    if (!isObject(json)) return this.#fault(pointer, 'wrong_type', nodeNote)
    if (level > maxLevels)
      return this.#fault(pointer, 'too_large', `must be at most ${maxLevels} levels deep`)
    const kinds = (['all', 'any', 'not', 'field'] as const).filter((name) => Object.hasOwn(json, name))
    const [kind] = kinds
    if (kind === undefined && (Object.hasOwn(json, 'op') || Object.hasOwn(json, 'value')))
      return this.leaf(json, pointer)
    if (kind === undefined || kinds.length > 1) return this.#fault(pointer, 'bad_format', nodeNote)
    if (kind === 'field') return this.leaf(json, pointer)
    for (const name of Object.keys(json))
      if (name !== kind) this.#fault(`${pointer}/${escaped(name)}`, 'unknown_field', nodeNote)
    if (kind === 'not') {
      const inner = this.node(json.not, `${pointer}/not`, level + 1)
      return inner && { not: inner }
    }
    const children = json[kind]
    const at = `${pointer}/${kind}`
    if (!Array.isArray(children)) return this.#fault(at, 'wrong_type', 'must be a list of conditions')
    if (children.length === 0) return this.#fault(at, 'too_short', 'must have at least one condition')
    const nodes: (Filter | null)[] = []
    for (const [i, child] of children.entries()) {
      if (this.faults.length === maxFaults) return null
      nodes.push(this.node(child, `${at}/${i}`, level + 1))
    }
    if (nodes.some((node) => node === null)) return null
    return kind === 'all' ? { all: nodes as Filter[] } : { any: nodes as Filter[] }
  }

  leaf(json: Record<string, unknown>, pointer: string): Leaf | null {
    this.#leaves++
    if (this.#leaves > maxLeaves)
      return this.#leaves === maxLeaves + 1
        ? this.#fault(pointer, 'too_large', `must not be more than ${maxLeaves} conditions`)
        : null
    for (const name of Object.keys(json))
      if (name !== 'field' && name !== 'op' && name !== 'value')
        this.#fault(
          `${pointer}/${escaped(name)}`,
          'unknown_field',
          'is not known; a condition has field, op and value',
        )
    const field = this.#field(json, pointer)
    const op = this.#operator(json, pointer, field)
    if (!Object.hasOwn(json, 'value')) return this.#fault(`${pointer}/value`, 'required', 'is required')
    if (!field || !op) return null
    const values = this.#values(json.value, `${pointer}/value`, field, op)
    return values && { field: json.field as string, of: field, op, values }
  }

  #field(json: Record<string, unknown>, pointer: string): Field | null {
    const at = `${pointer}/field`
    const { field } = json
    if (field === undefined) return this.#fault(at, 'required', 'is required')
    if (typeof field !== 'string') return this.#fault(at, 'wrong_type', 'must be the name of a field')
    const known = this.#reading.fields.find(field)
    if (known) return known
    if (this.#reading.fields.mayHave?.(field)) return null
    return this.#fault(
      at,
      'unknown_field',
      `names ${field.slice(0, 100)}, which is not a field${suggestionFor(field, this.#reading.fields)}`,
    )
  }

  #operator(json: Record<string, unknown>, pointer: string, field: Field | null): Operator | null {
    const at = `${pointer}/op`
    const { op } = json
    if (op === undefined) return this.#fault(at, 'required', 'is required')
    if (typeof op !== 'string') return this.#fault(at, 'wrong_type', 'must be the name of an operator')
    const possible = field ? operatorsOf[field.kind] : operators
    if ((possible as readonly string[]).includes(op)) return op as Operator
    return this.#fault(at, 'not_allowed', `must be ${listed(possible)}`)
  }

  #values(value: unknown, pointer: string, field: Field, op: Operator): Leaf['values'] | null {
    if (op === 'exists')
      return typeof value === 'boolean'
        ? [value]
        : this.#fault(pointer, 'wrong_type', 'must be true or false')
    if (op === 'within') {
      if (typeof value !== 'string') return this.#fault(pointer, 'wrong_type', 'must be a text')
      const period = parsePeriod(value)
      return period === null
        ? this.#fault(
            pointer,
            'bad_format',
            'must be a period such as "-P7D", the last seven days, or "PT8H", the next eight hours',
          )
        : [period]
    }
    if (op !== 'in' && op !== 'not_in') {
      const one = this.#value(value, pointer, field)
      return one === null ? null : [one]
    }
    if (!Array.isArray(value)) return this.#fault(pointer, 'wrong_type', 'must be a list of values')
    if (value.length === 0) return this.#fault(pointer, 'too_short', 'must have at least one value')
    if (value.length > maxListedValues)
      return this.#fault(pointer, 'too_long', `must have at most ${maxListedValues} values`)
    const all = value.map((each, i) => this.#value(each, `${pointer}/${i}`, field))
    return all.some((each) => each === null) ? null : (all as Leaf['values'])
  }

  #value(value: unknown, pointer: string, field: Field): string | number | boolean | null {
    const { kind } = field
    if (kind === 'number')
      // JSON has numbers that are greater than any that a computer has.
      return Number.isFinite(value)
        ? (value as number)
        : this.#fault(pointer, 'wrong_type', 'must be a number')
    if (kind === 'boolean')
      return typeof value === 'boolean' ? value : this.#fault(pointer, 'wrong_type', 'must be true or false')
    if (typeof value !== 'string') return this.#fault(pointer, 'wrong_type', 'must be a text')
    if (kind === 'me')
      return value === 'me' ? this.#me(pointer) : this.#fault(pointer, 'not_allowed', 'must be me')
    if (value.length > maxTextLength && [...value].length > maxTextLength)
      return this.#fault(pointer, 'too_long', `must have at most ${maxTextLength} characters`)
    if (value.includes('\0') || !value.isWellFormed())
      return this.#fault(pointer, 'bad_format', 'must not contain NUL or lone surrogates')
    if (field.values && !field.values.includes(value))
      return this.#fault(pointer, 'not_allowed', `must be ${listed(field.values)}`)
    if (kind === 'time')
      return instantOf(value) ?? this.#fault(pointer, 'bad_format', 'must be a date or an RFC 3339 time')
    return field.prefix ? this.#id(value, pointer, field) : value
  }

  #me(pointer: string): string | null {
    const { me, acceptsMe, whyNoMe } = this.#reading
    if (me !== null || acceptsMe) return me ?? 'me'
    return this.#fault(pointer, 'not_allowed', whyNoMe ?? noOperatorFor('me'))
  }

  #id(value: string, pointer: string, { prefix, takesMe }: Field): string | null {
    if (value === 'me' && takesMe) return this.#me(pointer)
    const noun = withArticle(nounOf(typeOfPrefix(prefix!)))
    return (
      uuidOf(prefix!, value) ?? this.#fault(pointer, 'bad_format', `must be the id of ${noun}, ${prefix}_…`)
    )
  }
}

/** The fault of a value such as `me` where no operator is known. */
export const noOperatorFor = (value: string): string =>
  `must not be ${value} in a request without Backline-Operator`

const escaped = (name: string) => name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')

function listed(values: readonly string[]): string {
  if (values.length > 20) return `one of its ${values.length} values`
  const [last] = values.slice(-1)
  return values.length < 2 ? String(last) : `${values.slice(0, -1).join(', ')} or ${last}`
}

/** A date or an RFC 3339 time; a date is its midnight in UTC. Null for other texts. */
export function instantOf(text: string): string | null {
  return parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
}

/** The conditions of a tree that all have to be met. */
export const conjunctsOf = (filter: Filter): Filter[] =>
  'all' in filter ? filter.all.flatMap(conjunctsOf) : [filter]

/** The leaves of a tree. */
export function leavesOf(filter: Filter): Leaf[] {
  if ('all' in filter) return filter.all.flatMap(leavesOf)
  if ('any' in filter) return filter.any.flatMap(leavesOf)
  return 'not' in filter ? leavesOf(filter.not) : [filter]
}
