import { type Instant, toInstant, toUnixMs } from '../kernel/clock.ts'
import { ApiError } from '../kernel/errors.ts'
import { etagOf, matchesVersion } from '../kernel/etag.ts'
import { newUuid } from '../kernel/ids.ts'
import { lock } from '../kernel/keyed-mutex.ts'
import type { Db } from '../postgres/database.ts'
import { DatabaseUnavailable } from '../postgres/errors.ts'
import type { Sql } from '../postgres/sql.ts'
import type { Ctx, DueRow, FoundDueRow, StoredResponse } from './context.ts'
import { cancelDue, completeDue, lockDue, postponeDue, scheduleDue, scheduleUnlessDue } from './due.ts'
import type { Entity, ResourceRow } from './entity.ts'
import type { Part, PartOfChange, Prepared } from './statement.ts'
import { differs, eventsOf, partsOf, stronger, type TrackedRow } from './tracked-row.ts'

/** Several changes that go out as one statement. What one of them has written, the next must not build on. */
export type Batch = { written: Set<string>; shared: Set<string>; read: Map<string, ResourceRow | null> }

/** Thrown by a change that needs a row which its batch has written already. */
class BatchConflict extends Error {
  override name = 'WrittenInBatch'
}

/** By which way a change came about, where rows tell. */
export type Cause = 'action' | 'reply' | 'macro' | 'expiry'

/**
 * A write in the making. A handler reads, decides and says what shall be; nothing is sent until it returns.
 * Then rows, events, idempotency key and stored response go out as one statement, therefore as one
 * transaction: there is no line at which a crash leaves half of it. A row that is changed several times is written
 * once, with one event.
 */
export class Change {
  readonly ctx: Ctx
  readonly db: Db
  readonly tenantId: string
  #now: Instant
  cause: Cause = 'action'
  readonly #batch: Batch | null
  readonly #tracked = new Map<string, TrackedRow>()
  readonly #parts: PartOfChange[] = []
  readonly #claimed = new Set<string>()
  readonly #shared = new Set<string>()
  readonly #due = new Map<string, Omit<DueRow, 'dueAt'> & { dueAt: Instant | null; keep: boolean }>()
  #completing: FoundDueRow | null = null
  readonly #duplicateChecks: (() => Promise<void>)[] = []
  readonly #onConflict: (() => void)[] = []
  #discarded = false
  readonly #locks = new Map<string, () => void>()

  constructor(ctx: Ctx, batch: Batch | null = null) {
    this.ctx = ctx
    this.db = ctx.db
    this.tenantId = ctx.env.tenantId
    this.#now = ctx.now()
    this.#batch = batch
  }

  /**
   * The row that the request addresses: 404 when there is none, 412 when `If-Match` names another version.
   * Writers of one row within this process take turns.
   */
  async load<Row extends ResourceRow>(entity: Entity<Row>, id: string): Promise<Row> {
    await this.lock(id)
    const row = await this.peek(entity, id)
    this.startAfter(row)
    return row
  }

  /** The same for a row that is only read: nobody waits for anybody. */
  async peek<Row extends ResourceRow>(entity: Entity<Row>, id: string): Promise<Row> {
    const row = await this.find(entity, id)
    if (!row) throw new ApiError('not_found')
    const ifMatch = this.ctx.request?.ifMatch
    if (ifMatch != null && !matchesVersion(ifMatch, row.version)) {
      throw new ApiError('precondition_failed', {}, { headers: { etag: etagOf(row.version) } })
    }
    return row
  }

  /** What this change does to a row comes after what was done to it: by a millisecond, when the clock says less. */
  startAfter(row: ResourceRow): void {
    const now = this.ctx.now()
    this.#now = now > row.updated_at ? now : toInstant(toUnixMs(row.updated_at) + 1)
  }

  /** The row as this change will leave it; as it is in the database, if the change has not touched it. */
  async find<Row extends ResourceRow>(entity: Entity<Row>, id: string): Promise<Row | null> {
    const key = keyOf(entity, id)
    const tracked = this.#tracked.get(key)
    if (tracked) return tracked.after as Row | null
    if (this.#batch?.written.has(key)) throw new BatchConflict()
    const cached = this.#batch?.read.get(key)
    const row = cached === undefined ? await entity.table.find(this.db, this.tenantId, id) : (cached as Row)
    this.#batch?.read.set(key, row)
    if (row) this.#track(entity, row)
    return row
  }

  /** The entity of a resource that is built upon this one, and cannot be imported. */
  entityOf(type: string): Entity<ResourceRow & { archived?: boolean }> {
    return this.ctx.entities.of(type) as Entity<ResourceRow>
  }

  /** The row as this change found it; null if the change makes it. */
  original<Row extends ResourceRow>(entity: Entity<Row>, row: Row): Row | null {
    return this.#track(entity, row).before as Row | null
  }

  /** The rows of a kind that this change will have made. */
  created<Row extends ResourceRow>(entity: Entity<Row>): Row[] {
    return [...this.#tracked.values()].flatMap((each) =>
      each.entity === entity && each.before === null && each.after ? [each.after as Row] : [],
    )
  }

  /** Waits until no other change of this process works on the same thing; holds it until this change is done. */
  async lock(name: string): Promise<void> {
    const key = `${this.tenantId}/${name}`
    if (this.#batch || this.#locks.has(key)) return
    const release = await lock(key)
    if (!release) throw new DatabaseUnavailable('Too many concurrent writes are waiting for one row')
    this.#locks.set(key, release)
  }

  /** One moment for all that this change does. */
  get now(): Instant {
    return this.#now
  }

  /** What every new row begins with: an id of this moment, and the first version. */
  stamp(): ResourceRow {
    return { id: newUuid(toUnixMs(this.now)), created_at: this.now, updated_at: this.now, version: 1 }
  }

  create<Row extends ResourceRow>(
    entity: Entity<Row>,
    row: Row,
    event: string | null = `${entity.type}.created`,
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

  /** Applies `patch`; when it changes nothing that counts, nothing is written and no event appears. */
  update<Row extends ResourceRow>(
    entity: Entity<Row>,
    row: Row,
    patch: Partial<Row>,
    event: string | null = `${entity.type}.updated`,
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

  /** Raises the version of a row of which something changed that it does not show itself. */
  bumpVersion<Row extends ResourceRow>(entity: Entity<Row>, row: Row, event: string): Row {
    const tracked = this.#track(entity, row)
    if (!tracked.before) return row
    tracked.bumped = true
    tracked.event = stronger(entity, tracked.event, event)
    return this.#settle(tracked, tracked.after as Row)
  }

  /**
   * A further event of a row that this change writes.
   * @param former what it was before that of which the event tells
   * @param shown what it was then, where the row no longer shows that
   */
  addEvent<Row extends ResourceRow>(
    entity: Entity<Row>,
    row: Row,
    event: string,
    former: Row,
    shown: Row | null = null,
  ): void {
    this.#track(entity, row).furtherEvents.set(event, { former, shown })
  }

  remove<Row extends ResourceRow>(entity: Entity<Row>, row: Row, event = `${entity.type}.deleted`): void {
    const tracked = this.#track(entity, row)
    Object.assign(tracked, { after: null, state: 'dirty', event })
  }

  /** What was decided holds only if this row is still as it was read; otherwise the change is computed anew. */
  guard<Row extends ResourceRow>(entity: Entity<Row>, row: Row): void {
    const tracked = this.#track(entity, row)
    if (tracked.state === 'clean') tracked.state = 'guarded'
  }

  /** Does this change have its turn with something of this kind already? */
  holdsLock(kind: string): boolean {
    return [...this.#locks.keys()].some((key) => key.startsWith(`${this.tenantId}/${kind}`))
  }

  /** A further statement of the same transaction, for rows that are part of a resource and not one themselves. */
  write(statement: Sql): void {
    this.#parts.push({ part: () => statement, item: null, mode: 'plain' })
  }

  /** The same for statements that take many items; those of a batch become one. */
  writeBatched<Item>(part: Part<Item>, item: Item): void {
    this.#parts.push({ part: part as Part<unknown>, item, mode: 'plain' })
  }

  /** A statement that must return one row for each item; otherwise the change is computed anew. */
  writeExpecting<Item>(part: Part<Item>, item: Item): void {
    this.#parts.push({ part: part as Part<unknown>, item, mode: 'exact' })
  }

  /** Names a thing, or a row as `type/id`, that this change writes besides, so that no later change of its batch builds on it. */
  claim(name: string): void {
    if (this.#batch?.written.has(name) || this.#batch?.shared.has(name)) throw new BatchConflict()
    this.#claimed.add(name)
  }

  /** Names a thing, or a row, that changes of one batch may write together, but not with one that touches or updates it. */
  claimShared(name: string): void {
    if (this.#batch?.written.has(name)) throw new BatchConflict()
    this.#batch?.shared.add(name)
    this.#shared.add(name)
  }

  /** Work of `job` on `subjectId` shall be done at `dueAt`. @param keep leaves an earlier appointment as it is */
  schedule(job: string, subjectId: string, dueAt: Instant, keep = false): void {
    this.#due.set(`${job}/${subjectId}`, { job, subjectId, dueAt, keep })
  }

  unschedule(job: string, subjectId: string): void {
    this.#due.set(`${job}/${subjectId}`, { job, subjectId, dueAt: null, keep: false })
  }

  /** This change is the work that was due: it holds only if nobody has done it yet. */
  completes(row: FoundDueRow): void {
    this.#completing = row
  }

  /** Asked when a unique value turns out to be taken: throws the error that names the owner. */
  onDuplicate(explain: () => Promise<void>): void {
    this.#duplicateChecks.push(explain)
  }

  /** Told when somebody was faster, and this change is computed anew: what it remembered may be of yesterday. */
  onConflict(forget: () => void): void {
    this.#onConflict.push(forget)
  }

  /** Nothing of all this shall be; only the response is kept for replays. */
  discard(): void {
    this.#discarded = true
  }

  #track<Row extends ResourceRow>(entity: Entity<Row>, row: Row): TrackedRow {
    const key = keyOf(entity, row.id)
    let tracked = this.#tracked.get(key)
    if (!tracked) {
      if (this.#batch?.written.has(key)) throw new BatchConflict()
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

  /** Gives a tracked row its next state, or its former one when nothing that counts is different. */
  #settle<Row extends ResourceRow>(tracked: TrackedRow, patched: Row): Row {
    const before = tracked.before as Row
    const next = { ...patched, version: before.version + 1, updated_at: this.now }
    const changed = tracked.bumped || differs(tracked.entity, before, next, this.now)
    tracked.after = changed ? next : before
    tracked.state = changed ? 'dirty' : 'guarded' // what is answered, and kept for replays, must still be so
    return tracked.after as Row
  }

  async explainDuplicate(): Promise<void> {
    for (const explain of this.#duplicateChecks) await explain()
  }

  conflicted(): void {
    for (const forget of this.#onConflict) forget()
  }

  get removesSomething(): boolean {
    return [...this.#tracked.values()].some(({ after }) => after === null)
  }

  /** What this change will have written, for the batch that it belongs to. */
  get written(): string[] {
    const rows = [...this.#tracked].filter(([, { state }]) => state === 'dirty').map(([key]) => key)
    return [...rows, ...this.#claimed]
  }

  /** All that this change depends on or writes, alone or together with others. */
  get involved(): string[] {
    return [...this.#tracked.keys(), ...this.#claimed, ...this.#shared]
  }

  /** The work that this change appoints. */
  get scheduled(): DueRow[] {
    if (this.#discarded) return []
    return [...this.#due.values()].flatMap(({ job, subjectId, dueAt }) =>
      dueAt === null ? [] : [{ job, subjectId, dueAt }],
    )
  }

  /** Works out what follows, and hands over all that shall be sent. */
  async prepare(response: StoredResponse | null): Promise<Prepared> {
    const { ctx, now } = this
    const keyed = response !== null && ctx.request?.idempotency != null ? response : null
    if (this.#discarded) return { ctx, now, response: keyed, parts: [], events: [] }
    for (const { entity, before, after, state } of [...this.#tracked.values()]) {
      if (state !== 'dirty') continue
      for (const react of this.ctx.entities.reactionsTo(entity.type))
        await react(this as never, before, after)
    }
    const appointments = this.#appointments()
    for (const key of this.written) if (this.#batch?.shared.has(key)) throw new BatchConflict()
    const tracked = [...this.#tracked.values()]
    const events = tracked.flatMap((each) => eventsOf(each, now))
    return {
      ctx,
      now,
      response: keyed && events.length > 0 ? { ...keyed, resourceId: null } : keyed,
      parts: [...appointments, ...tracked.flatMap(partsOf), ...this.#parts],
      events,
    }
  }

  /**
   * One row stands for a job on a subject: work that appoints itself again moves its own. They are the first that is
   * locked of a change, for all changes alike: otherwise the one who frees an operator, and appoints that to be told to
   * routing, and the one who is routing wait for each other.
   */
  #appointments(): PartOfChange[] {
    const done = this.#completing
    const parts: PartOfChange[] = []
    for (const { job, subjectId, dueAt, keep } of this.#due.values()) {
      if (done?.job === job && done.subjectId === subjectId) continue
      const part = dueAt === null ? cancelDue : keep ? scheduleUnlessDue : scheduleDue
      parts.push({ part: part as Part<unknown>, item: { job, subjectId, dueAt }, mode: 'first' })
    }
    const rows = [...this.#due.values(), ...(done ? [done] : [])]
    if (done || rows.length > 1)
      parts.unshift(...rows.map((item) => ({ part: lockDue as Part<unknown>, item, mode: 'first' as const })))
    if (!done) return parts
    const next = this.#due.get(`${done.job}/${done.subjectId}`)?.dueAt
    const [part, item] = next ? [postponeDue, { ...done, next }] : [completeDue, done]
    return [...parts, { part: part as Part<unknown>, item, mode: 'exact' }]
  }

  done(): void {
    for (const release of this.#locks.values()) release()
    this.#locks.clear()
  }
}

/** What a batch knows a row by. */
export const keyOf = (entity: { type: string }, id: string) => `${entity.type}/${id}`
