import type { Recorded } from '../journal/audit-chain.ts'
import { type Instant, toUnixMs } from '../kernel/clock.ts'
import { newUuid } from '../kernel/ids.ts'
import type { Entity, ResourceRow } from './entity.ts'
import type { EventOrigin, EventToInsert } from './events.ts'
import { type PlanPart, planPart } from './plan.ts'
import type { Rendering } from './rendering.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of every kind are tracked alike
type AnyEntity = Entity<any>

/** A row as a change found it and as the change leaves it. */
export type TrackedRow = {
  entity: AnyEntity
  before: ResourceRow | null
  after: ResourceRow | null
  state: 'clean' | 'guarded' | 'dirty'
  /** Something that belongs to the row changed, perhaps none of its own fields. */
  bumped: boolean
  event: string | null
  furtherEvents: Map<string, Versions>
}

/** The row before an event and after it; `shown` is null for the row as it is written. */
type Versions = { former: ResourceRow | null; shown: ResourceRow | null }

/** Returns the parts of the statement that write or guard a row. */
export function partsOf({ entity, before, after, state }: TrackedRow): PlanPart[] {
  const { table } = entity
  if (state === 'clean') return []
  if (state === 'guarded') return [planPart('lock', table.unchanged, before)]
  if (!before) return after ? [planPart('plain', table.insert, after)] : []
  if (!after) return [planPart('exact', table.remove, before)]
  return [planPart(givesUpUnique(entity, before, after) ? 'release' : 'exact', table.update, after)]
}

const givesUpUnique = ({ unique = {} }: AnyEntity, before: ResourceRow, after: ResourceRow): boolean => {
  const memberOf = (row: object, field: string) => (row as Record<string, unknown>)[field]
  return Object.keys(unique).some(
    (field) => memberOf(before, field) !== null && memberOf(after, field) === null,
  )
}

/**
 * Returns the events of a row as JSON of the API. Both versions are presented as of now: time alone is not a change.
 * @param container the row that this one belongs to, if the change has it
 */
export function eventsOf(
  { entity, before, after, state, event, furtherEvents }: TrackedRow,
  container: TrackedRow | undefined,
  origin: EventOrigin,
  rendering: Rendering,
): EventToInsert[] {
  const { now } = origin
  const row = after ?? before
  if (state !== 'dirty' || !row) return []
  const shownIn = (type: string): readonly string[] | undefined => entity.shownIn?.[type]
  const since = (type: string, { former, shown }: Versions) =>
    former && after && !shownIn(type)
      ? formerValues(
          entity.wire.present(entity.former?.(former, after) ?? former, now),
          entity.wire.present(shown ?? after, now),
        )
      : {}
  const changed = container && changedFields(container, now)
  const related = changed ? JSON.stringify({ [container.entity.type]: changed }) : null
  const own: [string, Versions][] = event === null ? [] : [[event, { former: before, shown: null }]]
  return [...new Map([...own, ...furtherEvents])].map(([type, versions]) => ({
    id: newUuid(toUnixMs(now)),
    type,
    streamId: entity.streamId?.(row) ?? row.id,
    resourceType: entity.resource ?? entity.type,
    resourceId: row.id,
    resourceVersion: (versions.shown ?? row).version,
    object: objectOf(entity, type, versions.shown ?? row, now, rendering),
    previous: JSON.stringify(since(type, versions)),
    related,
    audited: before && after ? null : auditedBy(entity, before ? 'removed' : 'created'),
    origin,
  }))
}

/** The object of an event: the row as the API shows it, or the members that events of this type show. */
function objectOf(
  { wire, shownIn }: AnyEntity,
  type: string,
  row: ResourceRow,
  now: Instant,
  rendering: Rendering,
): string {
  const members = shownIn?.[type]
  if (!members) return rendering.json(wire, row, now)
  const shown = wire.present(row, now)
  return JSON.stringify(Object.fromEntries(members.map((name) => [name, shown[name]])))
}

const everyResource = new Set(['id', 'object', 'created_at', 'updated_at', 'version'])
const auditedByEntity = new WeakMap<AnyEntity, string>()

function auditedBy(entity: AnyEntity, how: Recorded): string {
  let names = auditedByEntity.get(entity)
  if (names === undefined) {
    const all = entity.audited ?? Object.keys(entity.wire.schema.properties ?? {})
    names = all.filter((name) => !everyResource.has(name)).join()
    auditedByEntity.set(entity, names)
  }
  return `${how} ${names}`
}

/** Returns the event type to record if one row has two. */
export function stronger<Row extends ResourceRow>(
  { precedence = [] }: Entity<Row>,
  one: string | null,
  other: string | null,
): string | null {
  return precedence.find((type) => type === one || type === other) ?? one ?? other
}

/** Fields that every change raises. */
const bookkeeping = new Set(['version', 'updated_at'])

/** Returns true if two versions differ in a field that counts as a change. */
export const differs = <Row extends ResourceRow>(
  entity: Entity<Row>,
  before: Row,
  after: Row,
  now: Instant,
): boolean =>
  (entity.unshown ?? []).some((name) => !sameValue(before[name], after[name])) ||
  Object.keys(formerValues(entity.wire.present(before, now), entity.wire.present(after, now))).length > 0

/** Returns the former values of the fields that changed. */
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

/** Returns the fields of a row that a change has updated, with its id; null if the row is new, removed or as it was. */
function changedFields({ entity, before, after, state }: TrackedRow, now: Instant): object | null {
  if (state !== 'dirty' || !before || !after) return null
  const [was, is] = [entity.wire.present(before, now), entity.wire.present(after, now)]
  const isShown = ([name, value]: [string, unknown]) => name === 'id' || !sameValue(was[name], value)
  return Object.fromEntries(Object.entries(is).filter(isShown))
}

const sameValue = (one: unknown, other: unknown) =>
  one === other || JSON.stringify(one) === JSON.stringify(other)
