import type { Random } from './random.ts'

/** Ids for generated values: existing ones by TypeID prefix, and those of another tenant. */
export type KnownIds = { own: Map<string, string[]>; foreign: Map<string, string[]> }

/** JSON text without an equivalent JavaScript value, such as 1e400. */
class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An object that may repeat members. */
class Members {
  readonly pairs: [string, unknown][]
  constructor(pairs: [string, unknown][]) {
    this.pairs = pairs
  }
}

/** Serializes a value with its unusual parts; lone surrogates become escapes. */
export function toJson(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (value instanceof Members) return membersToJson(value.pairs)
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  if (value !== null && typeof value === 'object') return membersToJson(Object.entries(value))
  return JSON.stringify(value) ?? 'null'
}

const membersToJson = (pairs: [string, unknown][]) =>
  `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${toJson(value)}`).join(',')}}`

/** The part of JSON Schema that the API uses. */
type Schema = {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** Generates a value that is valid or nearly so; patterns other than ids are matched by their examples only. */
export function generated(random: Random, schema: Schema, ids: KnownIds): unknown {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return generated(random, random.pick(choices), ids)
  if ('const' in schema) return schema.const
  if (schema.enum) return random.pick(schema.enum)
  const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return random.chance(0.5)
    case 'integer':
    case 'number':
      return random.pick([
        schema.minimum ?? 0,
        schema.maximum ?? 1000,
        random.between(schema.minimum ?? 0, Math.min(schema.maximum ?? 1000, (schema.minimum ?? 0) + 100)),
      ])
    case 'string':
      return textOf(random, schema, ids)
    case 'array': {
      const length = random.between(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3))
      return Array.from({ length }, () => generated(random, schema.items ?? {}, ids))
    }
    case 'object':
      return objectOf(random, schema, ids)
    default:
      return random.pick(['anything', 1, true, null])
  }
}

function objectOf(random: Random, schema: Schema, ids: KnownIds): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name) || random.chance(0.3)) object[name] = generated(random, member, ids)
  }
  if (typeof schema.additionalProperties === 'object') {
    for (let i = random.below(4); i > 0; i--) {
      define(
        object,
        random.pick(['plan', 'Ключ', '__proto__', 'a/b~c', '']) + i,
        generated(random, schema.additionalProperties, ids),
      )
    }
  }
  return object
}

function textOf(random: Random, schema: Schema, ids: KnownIds): string {
  const prefix = /^\^([a-z]+)_/.exec(schema.pattern ?? '')?.[1]
  if (prefix) return idOf(random, prefix, ids)
  if (schema.format === 'date-time') return random.pick(times)
  if (schema.examples && random.chance(0.7)) return String(random.pick(schema.examples))
  const { minLength = 0, maxLength = 50 } = schema
  const length = random.pick([
    minLength,
    Math.min(maxLength, 255),
    Math.min(maxLength, minLength + random.below(20)),
  ])
  return Array.from({ length }, () => random.pick(letters)).join('')
}

/** Returns an id, mostly an existing one. */
export function idOf(random: Random, prefix: string, ids: KnownIds): string {
  const own = ids.own.get(prefix) ?? []
  const foreign = ids.foreign.get(prefix) ?? []
  if (own.length > 0 && random.chance(0.85)) return random.pick(own)
  if (foreign.length > 0 && random.chance(0.5)) return random.pick(foreign)
  return `${prefix}_${Array.from({ length: 26 }, (_, i) => random.pick([...'01234567'].concat(i ? [...'abcdefghjkmnpqrstvwxyz89'] : []))).join('')}`
}

/** Letters of one to four bytes, including right-to-left and combining ones. */
const letters = [
  ...'abc XYZ019',
  'ä',
  'ß',
  'İ',
  'é',
  'ש',
  'ع',
  '漢',
  'ก',
  'ﷺ',
  '😀',
  '𝄞',
  '\u0301',
  '\u202e',
  "'",
  '"',
  '\\',
  '%',
  '<',
  '{',
]

const times = [
  '2026-11-20T09:30:00Z',
  '2026-11-20T09:30:00.123456789Z',
  '2026-11-20t09:30:00z',
  '2026-11-20T09:30:00+05:45',
  '2026-11-20T09:30:00+15:59',
  '2026-11-20T09:30:00-23:59',
  '2026-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+14:00',
  '1969-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-14:00',
  '+275760-09-13T00:00:00Z',
  '2026-11-20',
  '2026-11-20 09:30:00',
  'now',
]

const small: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  2147483647,
  2147483648,
  -2147483649,
  new Raw('-0'),
  new Raw('1e400'),
  new Raw('-1e400'),
  new Raw('1E2'),
  new Raw('1.0'),
  new Raw('9007199254740993'),
  new Raw('123456789012345678901234567890'),
  new Raw('1e-400'),
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff\ud800y',
  '\ufeff',
  '\uffff',
  '1',
  'true',
  'null',
  '__proto__',
  'constructor',
  'toString',
  '*',
  '-- ',
  "'; drop table conversations; --",
  '{{ 7 | times: 7 }}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '%00%0d%0a',
  'a'.repeat(256),
  '😀'.repeat(256),
  'ﷺ'.repeat(300),
  [],
  {},
  [null],
  [[]],
  [[[[[[]]]]]],
  { '': '' },
  { a: { b: { c: 1 } } },
  new Raw('{"__proto__":{"polluted":true}}'),
  new Raw('{"constructor":{"prototype":{"polluted":true}}}'),
  new Raw('{"length":1e9}'),
  ...times,
]

/** Copies a value, because modifications change values in place. */
const copied = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !(value instanceof Raw) ? structuredClone(value) : value

const nested = (open: string, close: string, depth: number) =>
  new Raw(open.repeat(depth) + close.repeat(depth))

/** Generates any value, sometimes a large one. */
export function oddValue(random: Random, ids: KnownIds): unknown {
  if (random.chance(0.1)) return idOf(random, random.pick([...ids.own.keys()]), ids)
  if (!random.chance(0.03)) return copied(random.pick(small))
  return random.pick<() => unknown>([
    () => nested('[', ']', 10 ** random.between(1, 5)),
    () => new Raw('{"a":'.repeat(100_000) + '1'.concat('}'.repeat(100_000))),
    () => random.pick(letters).repeat(65_537),
    () => Array.from({ length: 65_536 }, () => random.pick(letters)).join(''),
    () => Array.from({ length: 5000 }, (_, i) => i),
    () => Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`k${i}`, 'v'])),
    () => ({ ['k'.repeat(100_000)]: 'v' }),
  ])()
}

const oddNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '',
  '\0',
  '\ud800',
  'a/b',
  'a~b',
  'id',
  'tenant_id',
  'x'.repeat(5000),
  'subjct',
  '0',
  '😀',
  '$ref',
  'version',
]

/** Modifies one location of a value: replaces, removes, adds or repeats a member, or replaces the whole value. */
export function mutated(random: Random, value: unknown, ids: KnownIds): unknown {
  const places = objectsIn(value)
  if (places.length === 0 || random.chance(0.05)) return oddValue(random, ids)
  const place = random.pick(places)
  if (Array.isArray(place)) {
    place.splice(random.below(place.length + 1), random.below(2), oddValue(random, ids))
    return value
  }
  const names = Object.keys(place)
  const kind =
    names.length === 0
      ? 'add'
      : random.pick(['replace', 'replace', 'replace', 'remove', 'add', 'repeat'] as const)
  const name = kind === 'add' ? random.pick(oddNames) : random.pick(names)
  if (kind === 'remove') delete place[name]
  else if (kind === 'repeat') return repeated(value, place, name, oddValue(random, ids))
  else define(place, name, oddValue(random, ids))
  return value
}

/** Repeats a member of one object in the value. */
function repeated(value: unknown, place: Record<string, unknown>, name: string, other: unknown): unknown {
  const twice = new Members([...Object.entries(place), [name, other]])
  if (value === place) return twice
  const replace = (inside: unknown): void => {
    for (const object of objectsIn(inside)) {
      for (const [key, member] of Object.entries(object)) if (member === place) define(object, key, twice)
    }
  }
  replace(value)
  return value
}

/** All objects and lists inside a value, itself included. */
function objectsIn(value: unknown): Record<string, unknown>[] {
  if (value === null || typeof value !== 'object' || value instanceof Raw || value instanceof Members)
    return []
  const object = value as Record<string, unknown>
  return [object, ...Object.values(object).flatMap(objectsIn)]
}

/** Sets a member, also one called __proto__. */
const define = (object: object, name: string, value: unknown) =>
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
