import type { Instant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import type { Table, VersionedRow } from '../tables/table.ts'

/** What every row has that the API shows as a resource. */
export type ResourceRow = VersionedRow & { created_at: Instant; updated_at: Instant }

/**
 * The entities of all resources, and what resources do when rows of others change. A resource may refer to one that is
 * built upon it: by its type, which needs no import.
 */
export type Entities = {
  /** @param type as in `object`; not every type is one that changes are made of */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  of(type: string): Entity<any> | undefined
  reactionsTo(type: string): readonly Reaction[]
}

/**
 * What follows when a row is written, whatever changed it: rows that belong to it, due work, counters. Runs once for each
 * row, when all is decided; `before` is null for a new row, `after` for a removed one. `change` is a Change, which is
 * built upon this.
 */
export type Reaction = (
  change: never,
  before: ResourceRow | null,
  after: ResourceRow | null,
) => Promise<void> | void

/** How one kind of row is found, written and shown. */
export type Entity<Row extends ResourceRow, Event extends string = string> = {
  /** The API's name of it: `object` in responses, `resource.type` in events, the first half of event types. */
  type: string
  /** Of its TypeIDs. */
  prefix: string
  /** All event types that its rows can have. */
  events: readonly Event[]
  table: Pick<Table<Row>, 'find' | 'findMany' | 'insert' | 'update' | 'unchanged' | 'remove'>
  wire: { present(row: Row, now?: Instant): Record<string, unknown>; json(row: Row, now?: Instant): string }
  /** The timeline that its events belong to; its own unless said otherwise. */
  streamId?(row: Row): string
  /** The same for the id of a row; the id itself unless said otherwise. */
  streamIdOf?(db: Db, tenantId: string, id: string): Promise<string>
  /** Columns that are not shown, and whose change is a change all the same. */
  unshown?: readonly (keyof Row & string)[]
  /** The former row as events may tell it; not what was erased. */
  former?(before: Row, after: Row): Row
  /** Its event types from the strongest on: of several that a change amounts to, the strongest is told. */
  precedence?: readonly Event[]
  /**
   * Fields whose values no two rows share, each with a function that finds the row that has the value of this one; it
   * returns null if this one has none. A change that violates a unique index is refused with 409 `already_exists`.
   */
  unique?: { [Field in keyof Row & string]?: FindOwner<Row> }
}

export type FindOwner<Row> = (row: Row, db: Db, tenantId: string) => Promise<{ id: string } | null> | null
