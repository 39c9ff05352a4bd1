import type { Instant } from '../kernel/clock.ts'
import { formerNames, type TSchema } from '../resource/schema.ts'
import type { Wire } from '../resource/wire.ts'
import { type FieldChange, type Json, newerNames, replaced, toNewer } from './changes.ts'

/*
 * The newer forms of schemas and of JSON values. A schema says where changed objects are, so that data of a client is
 * never mistaken for one.
 */

/** As much of JSON Schema as responses use. */
type Schema = TSchema & {
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  oneOf?: Schema[]
  anyOf?: Schema[]
  additionalProperties?: boolean | Schema
  [formerNames]?: Record<string, string[]>
}

export type Form = { schema: TSchema; toNewer(value: unknown): unknown }

/** The type of an object by its schema. */
const objectOf = (schema: Schema): string | null => {
  const values = schema.properties?.object?.enum
  return values?.length === 1 ? (values[0] as string) : null
}

/** The types of the objects of a schema, of which each is one. */
const objectsOf = (schema: Schema): (string | null)[] =>
  schema.oneOf ? schema.oneOf.flatMap(objectsOf) : [objectOf(schema)]

/** The changes of the object that a wire shows, or of one of several. */
export const changesOf = ({ name, schema }: Wire<never>, changes: FieldChange[]): FieldChange[] =>
  changes.filter(({ object }) => object === name || objectsOf(schema as Schema).includes(object))

/** The newer form of a response; null if it has no changed object. */
export function formOf(name: string | null, schema: Schema, changes: FieldChange[]): Form | null {
  if (schema.items) {
    const items = formOf(null, schema.items, changes)
    if (!items) return null
    return {
      schema: { ...schema, items: items.schema },
      toNewer: (value) => (Array.isArray(value) ? value.map((item) => items.toNewer(item)) : value),
    }
  }
  if (schema.oneOf && objectsOf(schema).every((object) => object !== null))
    return formOfEither(schema, schema.oneOf, changes)
  const { oneOf = [], anyOf = [], additionalProperties: ofMap } = schema
  for (const inner of [...oneOf, ...anyOf, ...(typeof ofMap === 'object' ? [ofMap] : [])])
    if (formOf(null, inner, changes))
      throw new Error('A changed object is in a map, or one of several variants')
  if (objectOf(schema) === 'event' || ofMap === true)
    return { schema, toNewer: (value) => (isEvent(value) ? showEvent(value, changes) : value) }
  const own = changes.filter(({ object }) => object === name || object === objectOf(schema))
  const members = Object.entries(schema.properties ?? {}).flatMap(([member, inner]) => {
    const form = formOf(null, inner, changes)
    return form ? [[member, form] as const] : []
  })
  if (own.length === 0 && members.length === 0) return null
  const properties = {
    ...schema.properties,
    ...Object.fromEntries(members.map(([member, form]) => [member, form.schema])),
  }
  return {
    schema: withFields({ ...schema, properties }, own, 'inReply'),
    toNewer(value) {
      if (!isObject(value)) return value
      const json = { ...value }
      for (const [member, form] of members) if (member in json) json[member] = form.toNewer(json[member])
      return toNewer(json, own)
    },
  }
}

/** The newer form of one of several objects, which their type tells apart; null if none of them is changed. */
function formOfEither(schema: Schema, variants: Schema[], changes: FieldChange[]): Form | null {
  const forms = variants.map((each) => formOf(null, each, changes))
  if (forms.every((form) => form === null)) return null
  const byObject = new Map(variants.map((each, i) => [objectOf(each), forms[i]]))
  return {
    schema: { ...schema, oneOf: variants.map((each, i) => forms[i]?.schema ?? each) },
    toNewer(value) {
      const form = isObject(value) ? byObject.get(value.object as string) : null
      return form ? form.toNewer(value) : value
    },
  }
}

/** A schema of an object with the newer fields in place of the older ones. */
export function withFields(schema: Schema, changes: FieldChange[], use: 'inReply' | 'inBody'): Schema {
  let { properties = {}, required = [] } = schema
  const former: Record<string, string[]> = {}
  for (const { older, into } of changes) {
    const known = properties[older]
    if (!known) continue
    const names = Object.keys(into)
    former[older] = newerNames(changes, older)
    const newer = Object.entries(into).map(([name, own]) => [name, (own?.[use] ?? known) as Schema])
    properties = replaced(properties, older, Object.fromEntries(newer))
    const needed = use === 'inReply' ? names : names.slice(0, 1)
    required = required.flatMap((name) => (name === older ? needed : [name]))
  }
  const needed = required.length > 0 ? { required } : {}
  // The converted body passes the check of the older schema, which knows the older members.
  const unchecked = use === 'inBody' ? { check: undefined } : {}
  return { ...schema, ...unchecked, properties, ...needed, [formerNames]: former }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Event = { resource: { type: string }; data: { object: Json; previous: Json; [related: string]: Json } }

const isEvent = (value: unknown): value is Event => isObject(value) && value.object === 'event'

/** The newer form of an event. Newer fields with an equal value are not among the previous ones. */
export function showEvent<Shown extends Event>(event: Shown, changes: FieldChange[]): Shown {
  const ofType = (type: string) => changes.filter(({ object }) => object === type)
  const { object: was, previous: former, ...related } = event.data
  const own = ofType(event.resource.type)
  const object = toNewer(was, own)
  const previous = Object.entries(toNewer(former, own)).filter(
    ([name, value]) => name in former || value !== object[name],
  )
  const others = Object.entries(related).map(([type, fields]) => [type, toNewer(fields, ofType(type))])
  return {
    ...event,
    data: { object, previous: Object.fromEntries(previous), ...Object.fromEntries(others) },
  }
}

/** The newer form of a wire; the wire itself if it shows no changed object. */
export function wireIn<Row>(wire: Wire<Row>, changes: FieldChange[]): Wire<Row> {
  const form = formOf(wire.name, wire.schema as Schema, changes)
  if (!form) return wire
  return {
    name: wire.name,
    schema: form.schema,
    example: form.toNewer(wire.example),
    json: (row: Row, now?: Instant) => JSON.stringify(form.toNewer(JSON.parse(wire.json(row, now)))),
  }
}
