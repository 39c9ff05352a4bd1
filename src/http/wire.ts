import fastJson from 'fast-json-stringify'
import { Enum, Flag, List, Nullable, Shape, Text, type TSchema } from './schema.ts'

/** How a thing looks on the wire: its name among the OpenAPI components, its schema, an example, its JSON text. */
export type Wire<Row> = {
  name: string
  schema: TSchema
  example: unknown
  json(row: Row): string
}

/** The wire of a row that changes are made to: also as an object, so that two versions can be compared. */
export type RowWire<Row> = Wire<Row> & { present(row: Row): Record<string, unknown> }

/**
 * The schema that the OpenAPI document shows is the one that writes the JSON: what it does not declare cannot
 * leave, whatever `present` returns. Rows are never changed in place, so a row that is asked for again, for its
 * event and then for the response, is not written out again. (A WeakMap of all rows cost lists a third of their rate.)
 */
export function defineWire<Row extends object>(wire: {
  name: string
  schema: TSchema
  example: unknown
  present(row: Row): Record<string, unknown>
}): RowWire<Row> {
  const stringify = fastJson(wire.schema as fastJson.Schema)
  let last: { row: Row; text: string } | null = null
  return {
    ...wire,
    json(row) {
      if (last?.row !== row) last = { row, text: stringify(wire.present(row)) }
      return last.text
    },
  }
}

/** Rows that are answered at once, such as in a new order, in the form of a list that ends with them. */
export const listOf = <Row extends object>(name: string, item: Wire<Row>, maxItems: number): Wire<Row[]> => ({
  name,
  schema: Shape({
    object: Enum(['list']),
    data: List(item.schema, maxItems),
    has_more: Flag(),
    next_cursor: Nullable(Text(1, 2048)),
  }),
  example: { object: 'list', data: [item.example], has_more: false, next_cursor: null },
  json: (rows) =>
    `{"object":"list","data":[${rows.map((row) => item.json(row)).join(',')}],"has_more":false,"next_cursor":null}`,
})
