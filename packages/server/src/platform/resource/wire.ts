import fastJson from 'fast-json-stringify'
import type { Instant } from '../kernel/clock.ts'
import type { AsOf } from '../kernel/page.ts'
import { Enum, Flag, List, Nullable, Shape, Timestamp, type TSchema, Type } from './schema.ts'

/** The JSON form of a type: its name in the OpenAPI components, its schema, an example, its serializer. */
export type Wire<Row> = {
  name: string
  schema: TSchema
  example: unknown
  /** @param now time of the environment, for values that depend on time; defaults to the row's last change */
  json(row: Row, now?: Instant): string
  /** True if the JSON of a row does not depend on time; it may then be cached with the row. */
  isTimeless?(row: Row): boolean
}

/** The wire of an entity: it also returns an object, so that two versions can be compared. */
export type RowWire<Row> = Wire<Row> & { present(row: Row, now?: Instant): Record<string, unknown> }

/**
 * Defines a wire. The schema of the OpenAPI document serializes the JSON, so undeclared members cannot leak, whatever
 * `present` returns.
 */
export function defineWire<Row extends object>(wire: {
  name: string
  schema: TSchema
  example: unknown
  present(row: Row, now?: Instant): Record<string, unknown>
  /** True for rows whose presentation does not depend on `now`, for one wire per table. */
  isTimeless?(row: Row): boolean
}): RowWire<Row> {
  const stringify = fastJson(wire.schema as fastJson.Schema)
  return { ...wire, json: (row, now) => stringify(wire.present(row, now)) }
}

/** The members of every list. */
export const listMembers = (item: TSchema, maxItems: number) => ({
  object: Enum(['list']),
  data: List(item, maxItems, { description: 'The items of the page, in the requested order.' }),
  has_more: Flag({ description: 'Whether there are more items after this page.' }),
  next_cursor: Nullable(cursorText(), {
    description: 'Send it as `cursor` to continue the list; null exactly if `has_more` is false.',
  }),
})

const cursorText = (description?: string) =>
  Type.String({ maxLength: 2048, pattern: '^[A-Za-z0-9_-]*$', ...(description ? { description } : {}) })

export const exampleCursor = 'nwx51ecnH0cG9HbsPB3N3w'

/** The further member of every page of a feed. */
export const feedMembers = () => ({
  resume_cursor: cursorText(
    'The place after this page, also on the last one. Send it as `cursor` to ask for newer items later, with any filters, or to start the stream.',
  ),
})

export const exampleAsOf: AsOf = { at: '2026-11-20T09:30:00.000Z', feed_cursor: exampleCursor }

export const AsOfSchema = () =>
  Shape(
    {
      at: Timestamp({ description: 'The time of the moment, by the clock of the environment.' }),
      feed_cursor: cursorText(
        'The place of the moment in the feed: whoever continues `GET /v1/events` or its stream from here receives all later changes.',
      ),
    },
    { title: 'AsOf' },
  )

/**
 * The JSON text of a list.
 * @param items JSON texts of its items
 * @param next the cursor of the next page; null if there is none
 * @param more JSON text of further members, starting with a comma
 */
export const listJson = (items: string[], next: string | null, more = ''): string =>
  `{"object":"list","data":[${items.join(',')}],"has_more":${next !== null},"next_cursor":${JSON.stringify(next)}${more}}`

/** The wire of a complete list, such as rows in a new order. */
export const listOf = <Row>(name: string, item: Wire<Row>, maxItems: number): Wire<Row[]> => ({
  name,
  schema: Shape(listMembers(item.schema, maxItems)),
  example: { object: 'list', data: [item.example], has_more: false, next_cursor: null },
  json: (rows, now) =>
    listJson(
      rows.map((row) => item.json(row, now)),
      null,
    ),
})
