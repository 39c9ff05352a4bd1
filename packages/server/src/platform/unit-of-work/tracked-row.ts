import type { Instant } from '../kernel/clock.ts'
import type { Entity, ResourceRow } from './entity.ts'
import type { EventOrigin, EventToInsert } from './events.ts'
import type { Part, PlanPart } from './plan.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of every kind are tracked alike
type AnyEntity = Entity<any>

/** A row as a change found it and as it will leave it. */
export type TrackedRow = {
  entity: AnyEntity
  before: ResourceRow | null
  after: ResourceRow | null
  state: 'clean' | 'guarded' | 'dirty'
  /** Not by its shown fields alone: something that belongs to it changed. */
  bumped: boolean
  event: string | null
  /** Events that are told furtherEvents. */
  furtherEvents: Map<string, Telling>
}

/** What a row was before that of which an event tells, and what it is then; null for as it is left. */
type Telling = { former: ResourceRow | null; shown: ResourceRow | null }

/** What has to be sent for a row. */
export function partsOf({ entity, before, after, state }: TrackedRow): PlanPart[] {
  const { table } = entity
  if (state === 'clean') return []
  if (state === 'guarded') return [{ part: table.unchanged as Part<unknown>, item: before, mode: 'lock' }]
  if (!before) return after ? [{ part: table.insert as Part<unknown>, item: after, mode: 'plain' }] : []
  if (!after) return [{ part: table.remove as Part<unknown>, item: before, mode: 'exact' }]
  return [{ part: table.update as Part<unknown>, item: after, mode: 'exact' }]
}

/** What is told of a row, in the API's own form. Both versions are shown as of now: what only time changes is no news. */
export function eventsOf(
  { entity, before, after, state, event, furtherEvents }: TrackedRow,
  origin: EventOrigin,
): EventToInsert[] {
  const { now } = origin
  const row = after ?? before
  if (state !== 'dirty' || !row) return []
  const since = ({ former, shown }: Telling) =>
    former && after
      ? formerValues(
          entity.wire.present(entity.former?.(former, after) ?? former, now),
          entity.wire.present(shown ?? after, now),
        )
      : {}
  const own: [string, Telling][] = event === null ? [] : [[event, { former: before, shown: null }]]
  return [...new Map([...own, ...furtherEvents])].map(([type, telling]) => ({
    type,
    streamId: entity.streamId?.(row) ?? row.id,
    resourceType: entity.type,
    resourceId: row.id,
    resourceVersion: row.version,
    object: entity.wire.json(telling.shown ?? row, now),
    previous: JSON.stringify(since(telling)),
    origin,
  }))
}

/** Of two event types of one row the one that is told. */
export function stronger<Row extends ResourceRow>(
  { precedence = [] }: Entity<Row>,
  one: string | null,
  other: string | null,
): string | null {
  return precedence.find((type) => type === one || type === other) ?? one ?? other
}

/** Fields whose change is no news: every change raises them. */
const bookkeeping = new Set(['version', 'updated_at'])

/** Is anything different between two versions that counts as a change? */
export const differs = <Row extends ResourceRow>(
  entity: Entity<Row>,
  before: Row,
  after: Row,
  now: Instant,
): boolean =>
  (entity.unshown ?? []).some((name) => !sameValue(before[name], after[name])) ||
  Object.keys(formerValues(entity.wire.present(before, now), entity.wire.present(after, now))).length > 0

/** Of the fields of a resource that changed, what they were. */
export function formerValues(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const former: Record<string, unknown> = {}
  for (const field of Object.keys(before)) {
    if (bookkeeping.has(field)) continue
    const was = before[field]
    if (!sameValue(was, after[field])) former[field] = was
  }
  return former
}

const sameValue = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
