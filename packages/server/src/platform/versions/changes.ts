import type { Route } from '../resource/resource.ts'
import type { TSchema } from '../resource/schema.ts'

/*
 * The differences of an API version from the one before. `older` is the version that the handlers know, `newer` the
 * version that is derived from it.
 */

export type Json = Record<string, unknown>

/** A change of one kind of object. */
export type ObjectChange = {
  kind: 'object'
  /** The value of the member `object`; for an object without it, the name of its schema. */
  object: string
  /** For each field that is replaced: the schemas of the fields that replace it. */
  fields: Record<string, NewerFields>
  /** Converts a response or a part of it: the object of an event, or only the fields that changed. */
  toNewer(older: Json): Json
  /**
   * Converts the body of a request.
   * @param current the object in its older form, if the request updates one
   */
  toOlder(newer: Json, current: Json | null): Json
  /** True if `toOlder` needs `current` for this body. */
  needsCurrent(newer: Json): boolean
}

/**
 * The first field takes the place of the older one: it is required where the older one was, and it is named in errors
 * and sort orders. The others are optional in requests.
 */
export type NewerFields = Record<
  string,
  { inReply(older: TSchema): TSchema; inBody(older: TSchema): TSchema }
>

export type VersionChange =
  | ObjectChange
  | { kind: 'add'; resource: string; routes: Route[] }
  | { kind: 'remove'; route: string }

/** Adds routes to a resource. They are declared like older ones: the other changes apply to them as well. */
export const addRoutes = (resource: string, routes: Route[]): VersionChange => ({
  kind: 'add',
  resource,
  routes,
})

/** Removes the route with this name, its `operationId`. */
export const removeRoute = (name: string): VersionChange => ({ kind: 'remove', route: name })

const same = (schema: TSchema) => schema

export const renameField = (object: string, older: string, newer: string): ObjectChange => ({
  kind: 'object',
  object,
  fields: { [older]: { [newer]: { inReply: same, inBody: same } } },
  toNewer: (json) => renamed(json, older, newer),
  toOlder: (json) => renamed(json, newer, older),
  needsCurrent: () => false,
})

/** The members keep their order. */
const renamed = (json: Json, from: string, to: string): Json =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name === from ? to : name, value]))

/**
 * Replaces a text field that is never null by several fields. `join(split(text))` must be `text`: otherwise a request
 * of the newer version changes more than it names. A PATCH of some of the fields keeps the others.
 */
export function splitField<Parts extends Json>(
  object: string,
  older: string,
  it: {
    /** The newer fields in their order. `inReply` also allows what the older version stores. */
    into: { [Name in keyof Parts]: { inReply: TSchema; inBody: TSchema } }
    split(text: string): Parts
    join(parts: Partial<Parts>): string
  },
): ObjectChange {
  const names = Object.keys(it.into)
  const isPart = ([name]: [string, unknown]) => names.includes(name)
  const partsOf = (json: Json) => Object.fromEntries(Object.entries(json).filter(isPart)) as Partial<Parts>
  const hasParts = (json: Json) => Object.entries(json).some(isPart)
  return {
    kind: 'object',
    object,
    fields: {
      [older]: Object.fromEntries(
        Object.entries(it.into).map(([name, { inReply, inBody }]) => [
          name,
          { inReply: () => inReply, inBody: () => inBody },
        ]),
      ),
    },
    toNewer: (json) =>
      Object.fromEntries(
        Object.entries(json).flatMap(([name, value]) =>
          name === older ? Object.entries(it.split(value as string)) : [[name, value]],
        ),
      ),
    toOlder(json, current) {
      if (!hasParts(json)) return json
      const rest = Object.entries(json).filter((member) => !isPart(member))
      const parts = { ...(current ? it.split(current[older] as string) : {}), ...partsOf(json) }
      return { ...Object.fromEntries(rest), [older]: it.join(parts) }
    },
    needsCurrent: hasParts,
  }
}

/** The names of the newer fields in place of an older one, or the name itself. */
export const newerNames = (changes: ObjectChange[], name: string): string[] =>
  changes.reduce(
    (names, { fields }) => names.flatMap((each) => (fields[each] ? Object.keys(fields[each]) : [each])),
    [name],
  )

/** The older name of a field that replaces one, or the name itself. */
export const olderName = (changes: ObjectChange[], name: string): string =>
  changes.reduceRight((newer, { fields }) => {
    const replaced = Object.entries(fields).find(([, names]) => Object.keys(names)[0] === newer)
    return replaced ? replaced[0] : newer
  }, name)
