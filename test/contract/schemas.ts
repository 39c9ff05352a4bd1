import { querySchema } from '@backline/server/platform/http/request/query.ts'
import { parseInstant } from '@backline/server/platform/kernel/clock.ts'
import type { Route } from '@backline/server/platform/resource/resource.ts'
import { Shape } from '@backline/server/platform/resource/schema.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'

/*
 * Reads the schemas of routes: creates a valid value for each, and finds every location in it for an invalid one.
 */

/** The part of JSON Schema 2020-12 that the declarations use. */
export type Schema = {
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
  minItems?: number
  maxItems?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  /** Names the member that selects one schema of `oneOf`; the others are ignored. */
  discriminator?: { propertyName: string }
}

export const bodySchema = (route: Route): Schema => (route.body ?? Shape({})) as unknown as Schema
export const querySchemaOf = (route: Route): Schema => querySchema(route) as unknown as Schema

export const variantsOf = (schema: Schema): Schema[] | undefined => schema.anyOf ?? schema.oneOf
export const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat()
export const isText = (schema: Schema): boolean => typesOf(schema).includes('string')
/** True if the schema allows any text within its length, except NUL and lone surrogates. */
export const isFreeText = (schema: Schema): boolean =>
  isText(schema) &&
  !schema.enum &&
  !schema.format &&
  schema.pattern !== undefined &&
  new RegExp(schema.pattern, 'u').test('Ünï 漢\n\t😀/~:;#"')
/** Leaves space for the rest of a body of 1 MiB. */
const maxTextBytes = 1000 * 1024

/** Repeats a character up to `times`, within the size of a body. */
export const repeated = (character: string, times: number): string =>
  character.repeat(Math.min(times, Math.floor(maxTextBytes / Buffer.byteLength(character))))

/** An object with members of any name, such as metadata. */
export const isMap = (schema: Schema | undefined): boolean => typeof schema?.additionalProperties === 'object'
/** The TypeID prefix of a schema that takes ids; null for any other. */
export const idPrefixOf = (schema: Schema): string | null =>
  /^\^([a-z]+)_\[0-7\]/.exec(schema.pattern ?? '')?.[1] ?? null

/** The smallest valid value, with required members only. */
export function sample(schema: Schema): unknown {
  const variants = variantsOf(schema)
  if (variants) return sample(variants[0]!)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (typesOf(schema)[0]) {
    case 'string':
      return sampleText(schema)
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return true
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items!))
    case 'object':
      // Of an object with any members, such as a filter, only examples are known to be valid.
      if (schema.additionalProperties === true && schema.examples) return schema.examples[0]
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, sample(schema.properties![name]!)]),
      )
  }
  throw new Error(`sample() in test/contract/schemas.ts cannot make a value of ${JSON.stringify(schema)}`)
}

function sampleText(schema: Schema): string {
  const prefix = idPrefixOf(schema)
  if (prefix) return `${prefix}_01kah1vgm0e1tbm5ye8n2m9q7c`
  if (schema.examples?.length) return schema.examples[0] as string
  if (schema.format === 'date-time') return '2100-01-01T00:00:00Z'
  if (isFreeText(schema) || !schema.pattern) return 'x'.repeat(schema.minLength || 1)
  const candidates = [
    'en',
    'UTC',
    'x',
    'new',
    '09:00',
    '#00ff00',
    '2100-01-01',
    'a@example.com',
    'https://example.com/',
  ]
  const fitting = candidates.find((text) => new RegExp(schema.pattern!, 'u').test(text))
  if (fitting !== undefined) return fitting
  throw new Error(`Give the schema with the pattern ${schema.pattern} an \`examples\`: no sample() fits it`)
}

/** A location in a value of a schema. */
export type Place = {
  /** JSON Pointer (RFC 6901). */
  pointer: string
  schema: Schema
  /** True within one of several variants: errors of the other variants are reported as well. */
  ofVariant: boolean
  /** Returns a whole value with this one at the location, otherwise valid. */
  holding(value: unknown): unknown
}

/** All locations of a schema, its root first. */
export function* places(
  schema: Schema,
  pointer = '',
  holding: (value: unknown) => unknown = (value) => value,
  ofVariant = false,
): Generator<Place> {
  yield { pointer, schema, holding, ofVariant }
  for (const variant of variantsOf(schema) ?? []) {
    const [itself, ...inside] = places(variant, pointer, holding, ofVariant || !schema.discriminator)
    if (schema.discriminator) yield itself!
    yield* inside
  }
  const around = sample(schema)
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    const within = (value: unknown) => holding({ ...(around as object), [name]: value })
    yield* places(member, `${pointer}/${name}`, within, ofVariant)
  }
  if (typeof schema.additionalProperties === 'object')
    yield* places(schema.additionalProperties, `${pointer}/key`, (key) => holding({ key }), ofVariant)
  if (schema.items) yield* places(schema.items, `${pointer}/0`, (value) => holding([value]), ofVariant)
}

/** Ajv in strict mode, with the format checks of the API; it makes no check of `WithCheck`. */
export const strictAjv = (): Ajv2020 =>
  new Ajv2020({
    strict: true,
    allErrors: true,
    allowUnionTypes: true,
    strictRequired: false,
    discriminator: true,
    validateFormats: true,
  })
    .addKeyword('check')
    .addFormat('date-time', (text) => parseInstant(text) !== null)
    .addFormat('binary', true)
    .addFormat('int32', { type: 'number', validate: (value: number) => Number.isInteger(value) })
    .addFormat('int64', { type: 'number', validate: (value: number) => Number.isSafeInteger(value) })
    .addFormat('uri', (text) => URL.canParse(text))
    .addFormat('uri-reference', (text) => URL.canParse(text, 'http://example.com'))
    .addFormat('json-pointer', /^(\/([^~/]|~[01])*)*$/)
    .addFormat('email', /^[^@\s]+@[^@\s]+$/)
    .addFormat('date', /^\d{4}-\d\d-\d\d$/)
