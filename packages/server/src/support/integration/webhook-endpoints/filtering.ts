import type { EventFilters, PlacedEvent } from '../../../platform/journal/event-filters.ts'
import type { Db } from '../../../platform/postgres/database.ts'

type Filtered = { id: string; filter: unknown }

/**
 * Returns whether the filter of an endpoint lets an event pass. Reads nothing without filters and without events that
 * they concern.
 * @param wants whether the endpoint receives the event otherwise
 */
export async function passing<Endpoint extends Filtered, Event extends PlacedEvent>(
  filters: EventFilters,
  db: Db,
  tenantId: string,
  {
    endpoints,
    events,
    wants,
  }: {
    endpoints: Endpoint[]
    events: Event[]
    wants(endpoint: Endpoint, event: Event): boolean
  },
): Promise<(endpoint: Filtered, event: PlacedEvent) => boolean> {
  const filtered = endpoints.filter(({ filter }) => filter !== null)
  const judged =
    filtered.length === 0
      ? []
      : events.filter(
          (event) => filters.concerns(event.type) && filtered.some((endpoint) => wants(endpoint, event)),
        )
  if (judged.length === 0) return () => true
  const passed = await filters.passing(
    db,
    tenantId,
    filtered.map(({ filter }) => filter),
    judged,
  )
  const byEndpoint = new Map(filtered.map(({ id }, i) => [id, passed[i]!]))
  return ({ id }, event) => !filters.concerns(event.type) || (byEndpoint.get(id)?.has(event.id) ?? true)
}
