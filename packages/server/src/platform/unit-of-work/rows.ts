import { ApiError } from '../kernel/errors.ts'
import { etagOf, isUnquoted, matchesVersion } from '../kernel/etag.ts'
import type { Batch } from './batch.ts'
import type { Ctx } from './context.ts'
import type { Entity, ResourceRow } from './entity.ts'
import type { EventOrigin, EventToInsert } from './events.ts'
import type { Footprint } from './footprint.ts'
import type { Locks } from './locks.ts'
import type { Moment } from './moment.ts'
import type { PlanPart } from './plan.ts'
import type { Rendering } from './rendering.ts'
import { differs, eventsOf, partsOf, stronger, type TrackedRow } from './tracked-row.ts'
import { isVisible } from './visibility.ts'

/** The rows that a change reads and writes. Each is read once and written once. */
export class Rows {
  readonly #ctx: Ctx
  readonly #moment: Moment
  readonly #locks: Locks | null
  readonly #batch: Batch | null
  readonly #tracked = new Map<string, TrackedRow>()
  /** Names of rows that were asked for and do not exist. */
  readonly #missing = new Set<string>()

  /** @param locks null for a change that never waits for another one */
  constructor(ctx: Ctx, moment: Moment, locks: Locks | null, batch: Batch | null) {
    this.#ctx = ctx
    this.#moment = moment
    this.#locks = locks
    this.#batch = batch
  }

  /**
   * Reads the row of the request's path in order to change it. Writers of one row wait for each other within this
   * process.
   * @throws ApiError `not_found`; `precondition_failed` if `If-Match` names another version
   */
  async load<Row extends ResourceRow>(entity: Entity<Row>, id: string): Promise<Row> {
    await this.#locks?.lock(id)
    const row = await this.peek(entity, id)
    this.#moment.startAfter(row.updated_at)
    return row
  }

  /** Reads the row of the request's path without a lock; `If-Match` is checked. */
  async peek<Row extends ResourceRow>(entity: Entity<Row>, id: string): Promise<Row> {
    const row = await this.find(entity, id)
    if (!row) throw new ApiError('not_found')
    const ifMatch = this.#ctx.request?.ifMatch
    if (ifMatch != null && !matchesVersion(ifMatch, row.version))
      throw preconditionFailed(etagOf(row.version), ifMatch)
    return row
  }

  /**
   * Reads the row that the request's path names by a unique value, in order to change it. Returns null if there is
   * none; the change may then create it, with `repeatIfTaken`. Requests with one value wait for each other within this
   * process.
   * @param find finds the id of the row with the value
   * @throws ApiError `precondition_failed` if `If-Match` names another version, or any while there is no row
   */
  async loadIfAny<Row extends ResourceRow>(
    entity: Entity<Row>,
    value: string,
    find: () => Promise<{ id: string } | null>,
  ): Promise<Row | null> {
    await this.#locks?.lock(`${entity.type}/${value}`)
    const found = await find()
    if (found) await this.#locks?.lock(found.id)
    const row = found && (await this.find(entity, found.id)) // it may have been deleted meanwhile
    if (row) return this.load(entity, row.id)
    if (this.#ctx.request?.ifMatch != null) throw new ApiError('precondition_failed', { etag: null })
    return null
  }

  /** Returns the row with the changes made so far; null if it does not exist. */
  async find<Row extends ResourceRow>(entity: Entity<Row>, id: string): Promise<Row | null> {
    const key = keyOf(entity, id)
    const tracked = this.#tracked.get(key)
    if (tracked) return tracked.after as Row | null
    this.#batch?.refuseIfWritten(key)
    const known = this.#batch?.known.get(key)
    const found =
      known === undefined
        ? await entity.table.find(this.#ctx.db, this.#ctx.env.tenantId, id)
        : (known as Row | null)
    this.#batch?.known.set(key, found)
    const row = found && (await isVisible(entity, found, this.#ctx)) ? found : null
    if (!row) this.#missing.add(key)
    if (row) this.#track(entity, row)
    return row
  }

  /** Returns the row as this change found it; null if the change creates it. */
  original<Row extends ResourceRow>(entity: Entity<Row>, row: Row): Row | null {
    return this.#track(entity, row).before as Row | null
  }

  /** Returns the rows of an entity that this change creates. */
  created<Row extends ResourceRow>(entity: Entity<Row>): Row[] {
    return [...this.#tracked.values()].flatMap((each) =>
      each.entity === entity && each.before === null && each.after ? [each.after as Row] : [],
    )
  }

  /** Returns true if this change creates the row. */
  isCreated({ id }: ResourceRow): boolean {
    return this.dirty.some(({ before, after }) => before === null && after?.id === id)
  }

  create<Row extends ResourceRow, Event extends string>(
    entity: Entity<Row, Event>,
    row: Row,
    event: Event | null = `${nameOf(entity)}.created` as Event,
  ): Row {
    this.#tracked.set(keyOf(entity, row.id), {
      entity,
      before: null,
      after: row,
      state: 'dirty',
      bumped: false,
      event,
      furtherEvents: new Map(),
    })
    return row
  }

  /** Applies `patch`. Writes neither the row nor an event if no field of the row changes. */
  update<Row extends ResourceRow, Event extends string>(
    entity: Entity<Row, Event>,
    row: Row,
    patch: Partial<Row>,
    event: Event | null = `${nameOf(entity)}.updated` as Event,
  ): Row {
    const tracked = this.#track(entity, row)
    const { before } = tracked
    const patched = { ...(tracked.after as Row), ...patch }
    if (!before) {
      tracked.after = patched
      return patched
    }
    tracked.event = stronger(entity, tracked.event, event)
    return this.#settle(tracked, patched)
  }

  /** Raises the version of a row after a change that its own fields do not show. */
  bumpVersion<Row extends ResourceRow, Event extends string>(
    entity: Entity<Row, Event>,
    row: Row,
    event: Event | null,
  ): Row {
    const tracked = this.#track(entity, row)
    if (!tracked.before) return row
    tracked.bumped = true
    tracked.event = stronger(entity, tracked.event, event)
    return this.#settle(tracked, tracked.after as Row)
  }

  /**
   * Adds a further event of a row that this change writes.
   * @param former the row before the event
   * @param shown the row after the event, if the row that is written differs
   */
  addEvent<Row extends ResourceRow, Event extends string>(
    entity: Entity<Row, Event>,
    row: Row,
    event: Event,
    former: Row,
    shown: Row | null = null,
  ): void {
    this.#track(entity, row).furtherEvents.set(event, { former, shown })
  }

  remove<Row extends ResourceRow, Event extends string>(
    entity: Entity<Row, Event>,
    row: Row,
    event: Event | null = `${nameOf(entity)}.deleted` as Event,
  ): void {
    const tracked = this.#track(entity, row)
    Object.assign(tracked, { after: null, state: 'dirty', event })
  }

  /** Requires that this row is unchanged at the commit; otherwise the handler runs again. */
  guard<Row extends ResourceRow>(entity: Entity<Row>, row: Row): void {
    const tracked = this.#track(entity, row)
    if (tracked.state === 'clean') tracked.state = 'guarded'
  }

  get dirty(): TrackedRow[] {
    return [...this.#tracked.values()].filter(({ state }) => state === 'dirty')
  }

  get parts(): PlanPart[] {
    return [...this.#tracked.values()].flatMap(partsOf)
  }

  events(origin: EventOrigin, rendering: Rendering): EventToInsert[] {
    return [...this.#tracked.values()].flatMap((each) =>
      eventsOf(each, this.#containerOf(each), origin, rendering),
    )
  }

  addTo(footprint: Footprint): void {
    for (const [key, { state }] of this.#tracked)
      (state === 'dirty' ? footprint.writes : footprint.reads).add(key)
    for (const key of this.#missing) footprint.reads.add(key)
  }

  #containerOf({ entity: { within }, after }: TrackedRow): TrackedRow | undefined {
    return within && after ? this.#tracked.get(keyOf(within, within.idOf(after))) : undefined
  }

  #track<Row extends ResourceRow>(entity: Entity<Row>, row: Row): TrackedRow {
    const key = keyOf(entity, row.id)
    let tracked = this.#tracked.get(key)
    if (!tracked) {
      tracked = {
        entity,
        before: row,
        after: row,
        state: 'clean',
        bumped: false,
        event: null,
        furtherEvents: new Map(),
      }
      this.#tracked.set(key, tracked)
    }
    return tracked
  }

  /** Sets the next state of a tracked row, or its original one if no field differs. */
  #settle<Row extends ResourceRow>(tracked: TrackedRow, patched: Row): Row {
    const before = tracked.before as Row
    const { now } = this.#moment
    const next = { ...patched, version: before.version + 1, updated_at: now }
    const changed = tracked.bumped || differs(tracked.entity, before, next, now)
    tracked.after = changed ? next : before
    tracked.state = changed ? 'dirty' : 'guarded' // the response that is stored for replays must still be true
    return tracked.after as Row
  }
}

/** The first half of event types. */
const nameOf = ({ type, resource }: { type: string; resource?: string }) => resource ?? type

/** The name of a row in footprints and among known rows. */
export const keyOf = (entity: { type: string }, id: string) => `${entity.type}/${id}`

const preconditionFailed = (etag: string, ifMatch: string) =>
  new ApiError(
    'precondition_failed',
    { etag, ...(isUnquoted(ifMatch) ? { unquoted: true } : {}) },
    { headers: { etag } },
  )
