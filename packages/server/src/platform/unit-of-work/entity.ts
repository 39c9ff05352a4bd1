import type { Instant } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import type { Table, VersionedRow } from '../tables/table.ts'

/** The columns of every row that is a resource of the API. */
export type ResourceRow = VersionedRow & { created_at: Instant; updated_at: Instant }

/** The entities of all resources and their reactions. A resource refers to one on a higher floor by its type. */
export type Entities = {
  /** @param type as in `object`; not every type has an entity */
  // biome-ignore lint/suspicious/noExplicitAny: rows of every kind
  of(type: string): Entity<any> | undefined
  reactionsTo(type: string): readonly Reaction[]
}

/**
 * A function that runs in the same change when a row of an entity is written: for dependent rows, due work, counters.
 * It runs once for each row, after the handler. `before` is null for a new row, `after` for a removed one. `change` is
 * a Change, which is declared on top of this file.
 */
export type Reaction = (
  change: never,
  before: ResourceRow | null,
  after: ResourceRow | null,
) => Promise<void> | void

/** The declaration that connects the row type, the table and the wire of a resource. */
export type Entity<Row extends ResourceRow, Event extends string = string> = {
  /** The type in the API: `object` in responses, `resource.type` in events, the first half of event types. */
  type: string
  /** The type in events if rows of two tables are one resource; `type` by default, which names rows in footprints. */
  resource?: string
  /** The prefix of TypeIDs. */
  prefix: string
  /** All event types that its rows can have. */
  events: readonly Event[]
  table: Pick<Table<Row>, 'find' | 'findMany' | 'insert' | 'update' | 'unchanged' | 'remove'>
  wire: {
    schema: { properties?: object }
    present(row: Row, now?: Instant): Record<string, unknown>
    json(row: Row, now?: Instant): string
  }
  /**
   * The fields whose values the audit log shows when a row is created or removed; by default all that are not those of
   * every resource. It must not contain texts of people outside, because entries are never deleted.
   */
  audited?: readonly string[]
  /** Returns the stream that the row's events belong to; its own by default. */
  streamId?(row: Row): string
  /** Returns the stream for the id of a row; the id itself by default. */
  streamIdOf?(db: Db, tenantId: string, id: string): Promise<string>
  /**
   * The row that a row belongs to. If a change writes both, the events of the row also have the fields of the other one
   * that changed, as a member of `data` with the name of its type.
   */
  within?: { type: string; idOf(row: Row): string }
  /** Columns that the API does not show and whose change still counts. */
  unshown?: readonly (keyof Row & string)[]
  /**
   * The members of the object in events of some types, which have no `previous`; all by default. It is for events that
   * must not repeat texts whose end they tell.
   */
  shownIn?: { readonly [Type in Event]?: readonly string[] }
  /** Returns the former row for `previous` of events, without erased values. */
  former?(before: Row, after: Row): Row
  /** Event types in descending precedence: a change that qualifies for several records the first. */
  precedence?: readonly Event[]
  /**
   * Returns false for a row that a person may not see: a request that acts for the person finds none. Omit it if all
   * may see all rows.
   */
  isVisible?(row: Row, viewer: Viewer): Promise<boolean> | boolean
  /**
   * Unique fields, each with a function that finds the row with the same value; the function returns null if this row
   * has no value. A change that violates a unique index is rejected with 409 `already_exists`.
   */
  unique?: { [Field in keyof Row & string]?: FindOwner<Row> }
}

/** The person for whom a request acts, as a UUID, and what the request may do. */
export type Viewer = {
  id: string
  allows(scope: string): boolean
  db: Db
  tenantId: string
}

export type FindOwner<Row> = (row: Row, db: Db, tenantId: string) => Promise<{ id: string } | null> | null
