import type { FieldErrorCode } from '../kernel/errors.ts'
import type { Db } from '../postgres/database.ts'
import type { Position } from './positions.ts'

/** A fault of a filter, with the JSON Pointer of the node relative to the filter. */
export type FilterFault = { pointer: string; code: FieldErrorCode; detail: string }

/** An event in the journal. */
export type PlacedEvent = Position & { id: string; type: string }

/**
 * Filters that hold events back by the objects that the events are about. Readers of the journal stand below the
 * resources and get this as a service.
 */
export type EventFilters = {
  /** Can filters hold events of this type back? */
  concerns(type: string): boolean
  /** The faults that a filter has whatever custom fields there are. */
  faultsIn(filter: unknown): FilterFault[]
  /** All faults of a new filter; of one without, the scopes that a key needs for it. */
  check(db: Db, tenantId: string, filter: unknown): Promise<{ faults: FilterFault[]; scopes: string[] }>
  /**
   * For each filter the ids of the events that it lets pass. A filter that is not valid any more lets all pass.
   * @param events events of types that filters concern
   */
  passing(
    db: Db,
    tenantId: string,
    filters: readonly unknown[],
    events: readonly PlacedEvent[],
  ): Promise<ReadonlySet<string>[]>
}
