import { type Instant, toUnixMs } from '../kernel/clock.ts'
import { newUuid } from '../kernel/ids.ts'
import type { Db } from '../postgres/database.ts'
import type { Ctx } from './context.ts'
import type { Effects } from './effects.ts'
import type { Entity, ResourceRow } from './entity.ts'
import type { Locks } from './locks.ts'
import type { Moment } from './moment.ts'
import type { Rows } from './rows.ts'
import type { Scheduling } from './scheduling.ts'

/** Callbacks that a handler registers with its change. */
export type Hooks = {
  onDuplicate: (() => Promise<void>)[]
  onConflict: (() => void)[]
  /** Unique fields as `<id of the row>/<field>`. */
  repeatedIfTaken: Set<string>
  isDiscarded: boolean
  isBodyStored: boolean
  /** True if the change was decided upon what this process remembers. */
  usesMemory: boolean
}

/** The parts of a change that handlers use; the rest is for the draft. */
export type HandlerRows = Omit<Rows, 'dirty' | 'parts' | 'events' | 'addTo'>
export type HandlerEffects = Omit<Effects, 'parts' | 'addTo' | 'committed'>
export type HandlerJobs = Pick<Scheduling, 'schedule' | 'lease' | 'cancel'>

export type ChangeParts = {
  ctx: Ctx
  moment: Moment
  locks: Locks | null
  rows: HandlerRows
  effects: HandlerEffects
  jobs: HandlerJobs
  hooks: Hooks
  trustsMemory: boolean
}

/**
 * A unit of work as handlers see it. A handler reads, decides and declares writes; nothing is sent until it returns.
 * Then one transaction writes rows, events, idempotency key and stored response: a crash leaves
 * all or none. A row that is changed several times is written once, with one event.
 */
export class Change {
  readonly ctx: Ctx
  readonly rows: HandlerRows
  /** Statements besides those of rows. */
  readonly effects: HandlerEffects
  /** Jobs that are scheduled or cancelled. */
  readonly jobs: HandlerJobs
  readonly #moment: Moment
  readonly #locks: Locks | null
  readonly #hooks: Hooks
  readonly #trustsMemory: boolean

  constructor({ ctx, moment, locks, rows, effects, jobs, hooks, trustsMemory }: ChangeParts) {
    this.ctx = ctx
    this.rows = rows
    this.effects = effects
    this.jobs = jobs
    this.#moment = moment
    this.#locks = locks
    this.#hooks = hooks
    this.#trustsMemory = trustsMemory
  }

  get db(): Db {
    return this.ctx.db
  }

  get tenantId(): string {
    return this.ctx.env.tenantId
  }

  /** The one time of all writes of this change. */
  get now(): Instant {
    return this.#moment.now
  }

  /** Places this change after the last update of a row. */
  startAfter({ updated_at }: ResourceRow): void {
    this.#moment.startAfter(updated_at)
  }

  /** Returns the columns of every new row: an id with the time of this change, and the first version. */
  stamp(): ResourceRow {
    return { id: newUuid(toUnixMs(this.now)), created_at: this.now, updated_at: this.now, version: 1 }
  }

  /** Returns the entity of a resource on a higher floor, which cannot be imported. */
  entityOf(type: string): Entity<ResourceRow & { archived?: boolean }> {
    return this.ctx.writes.entities.of(type) as Entity<ResourceRow>
  }

  /**
   * Waits until no other change of this process holds the lock `name`, and holds it until this change ends.
   * @returns true if another change held it
   */
  async lock(name: string): Promise<boolean> {
    return (await this.#locks?.lock(name)) ?? false
  }

  /** Releases a lock before this change ends. */
  release(name: string): void {
    this.#locks?.release(name)
  }

  /** False for a change of a batch: an earlier one could hold what it would wait for. Its locks are none. */
  get mayWait(): boolean {
    return this.#locks !== null
  }

  /** Calls a function when this change ends, whether it was written or not. */
  onEnd(release: () => void): void {
    this.#locks?.onEnd(release)
  }

  /** Called when a unique value is taken; throws the error that names its owner. */
  onDuplicate(explain: () => Promise<void>): void {
    this.#hooks.onDuplicate.push(explain)
  }

  /**
   * Runs the handler again, instead of refusing it with `already_exists`, if a concurrent change takes the value of a
   * unique field of a row that this change creates: the handler then finds that row.
   */
  repeatIfTaken<Row extends ResourceRow>({ id }: Row, field: keyof Row & string): void {
    this.#hooks.repeatedIfTaken.add(`${id}/${field}`)
  }

  /** Called after a write conflict, before the handler runs again: cached values may be out of date. */
  onConflict(forget: () => void): void {
    this.#hooks.onConflict.push(forget)
  }

  /**
   * Returns what this process remembers; undefined if it remembers nothing, or if the handler runs again because an
   * attempt that used it refused the request or was discarded. The caller guards what it relies on (memory.ts).
   */
  recall<Value>(remembered: () => Value | undefined): Value | undefined {
    const value = this.#trustsMemory ? remembered() : undefined
    if (value !== undefined) this.#hooks.usesMemory = true
    return value
  }

  /**
   * Writes nothing of this change, except the response that is stored for replays.
   * @param storesBody false if the response depends on the request alone: a replay runs the handler again for its body
   */
  discard({ storesBody = true } = {}): void {
    this.#hooks.isDiscarded = true
    this.#hooks.isBodyStored = storesBody
  }
}
