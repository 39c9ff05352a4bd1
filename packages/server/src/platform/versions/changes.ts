import type { Route } from '../resource/resource.ts'
import type { TSchema } from '../resource/schema.ts'

/*
 * The differences of an API version from the one before. `older` is the version that the handlers know, `newer` the
 * version that is derived from it.
 */

export type Json = Record<string, unknown>

/** Replaces a field of one kind of object by others. */
export type FieldChange = {
  kind: 'field'
  /** The value of the member `object`; for an object without it, the name of its schema. */
  object: string
  older: string
  /**
   * The newer fields in their order, with their schemas; null for that of the older one. The first takes the place of
   * the older one: it is required where the older one was, and it is named in errors and sort orders. The others are
   * optional in requests.
   */
  into: Record<string, { inReply: TSchema; inBody: TSchema } | null>
  split(older: unknown): Json
  /** The opposite of `split`. It gets fewer fields if a request that creates an object has no others. */
  join(newer: Json): unknown
}

export type VersionChange =
  | FieldChange
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

export const renameField = (object: string, older: string, newer: string): FieldChange => ({
  kind: 'field',
  object,
  older,
  into: { [newer]: null },
  split: (value) => ({ [newer]: value }),
  join: (fields) => fields[newer],
})

/**
 * Replaces a text field that is never null by several fields. `join(split(text))` must be `text`: otherwise a request
 * of the newer version changes more than it names. A PATCH of some of the fields keeps the others.
 */
export const splitField = <Parts extends Json>(
  object: string,
  older: string,
  it: {
    /** The newer fields in their order. `inReply` also allows what the older version stores. */
    into: { [Name in keyof Parts]: { inReply: TSchema; inBody: TSchema } }
    split(text: string): Parts
    join(parts: Partial<Parts>): string
  },
): FieldChange => ({
  kind: 'field',
  object,
  older,
  into: it.into,
  split: (text) => it.split(text as string),
  join: (parts) => it.join(parts as Partial<Parts>),
})

/** The newer form of a response or a part of it: the object of an event, or only the fields that changed. */
export const toNewer = (json: Json, changes: FieldChange[]): Json =>
  changes.reduce(
    (value, { older, split }) => (older in value ? replaced(value, older, split(value[older])) : value),
    json,
  )

/**
 * The older form of a body: the last change is undone first.
 * @param current the object in its older form, if the request updates one
 */
export const toOlder = (body: Json, changes: FieldChange[], current: Json | null): Json =>
  changes.reduceRight((value, { older, into, split, join }, i) => {
    const isPart = ([name]: [string, unknown]) => Object.hasOwn(into, name)
    const { true: given, false: others = [] } = Object.groupBy(Object.entries(value), (each) =>
      isPart(each) ? 'true' : 'false',
    )
    if (!given) return value
    const before = current ? split(toNewer(current, changes.slice(0, i))[older]) : {}
    return { ...Object.fromEntries(others), [older]: join({ ...before, ...Object.fromEntries(given) }) }
  }, body)

/** True if the older form of a body depends on the object that the request updates. */
export const needsCurrent = (body: Json, changes: FieldChange[]): boolean =>
  changes.some(({ into }) => {
    const names = Object.keys(into)
    return names.some((name) => name in body) && names.some((name) => !(name in body))
  })

/** Replaces a member by others in its place. */
export const replaced = <Value>(
  members: Record<string, Value>,
  name: string,
  by: Record<string, Value>,
): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(members).flatMap((member) => (member[0] === name ? Object.entries(by) : [member])),
  )

/** The names of the newer fields in place of an older one, or the name itself. */
export const newerNames = (changes: FieldChange[], name: string): string[] =>
  changes.reduce(
    (names, { older, into }) => names.flatMap((each) => (each === older ? Object.keys(into) : [each])),
    [name],
  )

/** The older name of a field that replaces one, or the name itself. */
export const olderName = (changes: FieldChange[], name: string): string =>
  changes.reduceRight((newer, { older, into }) => (Object.keys(into)[0] === newer ? older : newer), name)
