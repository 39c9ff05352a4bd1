import fastJson from 'fast-json-stringify'
import type { Instant } from '../lib/clock.ts'
import type { TSchema } from './schema.ts'

/** How a thing looks on the wire: its name among the OpenAPI components, its schema, an example, its JSON text. */
export type Wire<Row> = {
  name: string
  schema: TSchema
  example: unknown
  /** @param now of its environment's clock, for what time alone changes; the row's last change when left out */
  json(row: Row, now?: Instant): string
}

/** The wire of a row that changes are made to: also as an object, so that two versions can be compared. */
export type RowWire<Row> = Wire<Row> & { present(row: Row, now?: Instant): Record<string, unknown> }

/**
 * The schema that the OpenAPI document shows is the one that writes the JSON: what it does not declare cannot
 * leave, whatever `present` returns. Rows are never changed in place, so a row that is asked for again, for its
 * event and then for the response, is not written out again. (A WeakMap of all rows cost lists a third of their rate.)
 */
export function defineWire<Row extends object>(wire: {
  name: string
  schema: TSchema
  example: unknown
  present(row: Row, now?: Instant): Record<string, unknown>
}): RowWire<Row> {
  const stringify = fastJson(wire.schema as fastJson.Schema)
  let last: { row: Row; now: Instant | undefined; text: string } | null = null
  return {
    ...wire,
    json(row, now) {
      if (last?.row !== row || last.now !== now) last = { row, now, text: stringify(wire.present(row, now)) }
      return last.text
    },
  }
}
