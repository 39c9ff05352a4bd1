import type { TSchema } from '../../../platform/resource/schema.ts'
import type { Wire } from '../../../platform/resource/wire.ts'
import { type Json, ref } from './components.ts'

/** The component schemas of the document, collected while its operations are written. */
type SchemaComponents = {
  /** Adds the schema of a response. @returns the reference to it */
  ofReply(wire: Pick<Wire<never>, 'name' | 'schema'>): Json
  /** Adds the schema of a request body, of which PATCH keeps omitted fields. @returns the reference to it */
  ofBody(name: string, schema: TSchema, method: string): Json
  /** All schemas added so far, sorted by name. */
  all(): Json
}

/** The `components` of the document that operations add to. */
export type Components = { schemas: SchemaComponents; responses: Json }

/** Members of a schema whose values are data, not schemas. */
const dataMembers = new Set(['default', 'enum', 'example', 'examples', 'required'])

/**
 * Writes each named schema once and refers to it elsewhere. The name is that of a reply, or the `title` of the schema,
 * followed by `Input` in requests.
 *
 * Schemas of requests are closed, so that misspelled fields are errors. Schemas of responses are open: `/v1` can add
 * fields and enumeration values, and a client that validates responses must accept them.
 *
 * @param replies all replies, which can occur within each other
 */
export function schemaComponents(replies: Pick<Wire<never>, 'name' | 'schema'>[]): SchemaComponents {
  const components: Record<string, Json> = {}
  const replyBySchema = new Map(replies.map((reply) => [identityOf(reply.schema as Json), reply]))

  function add(name: string, schema: Json, open: boolean): Json {
    components[name] ??= membersOf(schema, open)
    return ref('schemas', name)
  }

  function written(node: unknown, open: boolean): unknown {
    if (Array.isArray(node)) return node.map((each) => written(each, open))
    if (typeof node !== 'object' || node === null) return node
    const schema = node as Json
    const reply = open && isObject(schema) ? replyBySchema.get(identityOf(schema)) : undefined
    if (reply) return referenceTo(reply.name, reply.schema as Json, schema, open)
    if (typeof schema.title === 'string') {
      const name = open ? schema.title : `${schema.title}Input`
      return referenceTo(name, withoutNote(schema), schema, open)
    }
    return membersOf(schema, open)
  }

  /** `$ref` has no siblings, because some tools ignore the siblings and others what is referred to. */
  function referenceTo(name: string, schema: Json, { type, description }: Json, open: boolean): Json {
    const reference = add(name, schema, open)
    const isNullable = Array.isArray(type)
    if (!isNullable && (description === undefined || description === components[name]!.description))
      return reference
    const either = isNullable ? { anyOf: [reference, { type: 'null' }] } : { allOf: [reference] }
    return description === undefined ? either : { ...either, description }
  }

  function membersOf(schema: Json, open: boolean): Json {
    const members = Object.entries(schema)
      .filter(([member, value]) => !isLeftOut(member, value, open))
      .map(([member, value]) => [member, dataMembers.has(member) ? value : written(value, open)])
    const result: Json = Object.fromEntries(members)
    return open && isOpenEnumeration(schema) ? { ...result, description: describedAsOpen(schema) } : result
  }

  return {
    ofReply: ({ name, schema }) => add(name, schema as Json, true),
    ofBody: (name, schema, method) =>
      add(
        name,
        defaultsInWords(method === 'PATCH' ? withoutDefaults(schema as Json) : schema) as Json,
        false,
      ),
    all: () => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/**
 * Generators of types take a field with a `default` for one that is always there, hence for a required one. So the
 * defaults of requests are part of the descriptions.
 */
/** Without the defaults of fields; new items of lists still have theirs. */
function withoutDefaults({ default: _, ...schema }: Json): Json {
  if (typeof schema.properties !== 'object') return schema
  const members = Object.entries(schema.properties as Record<string, Json>)
  return {
    ...schema,
    properties: Object.fromEntries(members.map(([name, each]) => [name, withoutDefaults(each)])),
  }
}

function defaultsInWords(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(defaultsInWords)
  if (typeof node !== 'object' || node === null) return node
  const { default: value, ...schema } = node as Json
  const members = Object.entries(schema).map(([name, member]) => [
    name,
    dataMembers.has(name) ? member : defaultsInWords(member),
  ])
  const result: Json = Object.fromEntries(members)
  if (value === undefined) return result
  const words = `Defaults to \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`
  return { ...result, description: [schema.description, words].filter(Boolean).join(' ') }
}

const isObject = ({ type, oneOf }: Json): boolean =>
  type === 'object' || (Array.isArray(type) && type[0] === 'object') || Array.isArray(oneOf)

/** A named schema that a member uses, without what is said of the member only. */
const withoutNote = ({ description: _, type, ...schema }: Json): Json => ({
  type: Array.isArray(type) ? type[0] : type,
  ...schema,
})

/** Equal for all uses of a schema. */
const identityOf = ({ type: _, title: _title, description: _description, ...schema }: Json): string =>
  JSON.stringify(schema)

/** `discriminator` is for our validator; in a document it may only select named schemas (OpenAPI 3.1, 4.8.25). */
const isLeftOut = (member: string, value: unknown, open: boolean): boolean =>
  (member === 'title' && typeof value === 'string') ||
  (member === 'additionalProperties' && value === false && open) ||
  (member === 'discriminator' && typeof (value as Json)?.propertyName === 'string')

const isOpenEnumeration = (schema: Json): boolean =>
  Array.isArray(schema.enum) && schema.enum.filter((value) => value !== null).length > 1

const describedAsOpen = ({ description }: Json): string =>
  [description, 'New values may be added.'].filter(Boolean).join(' ')
