import { ApiError } from '../kernel/errors.ts'
import { typeId } from '../kernel/ids.ts'
import type { Batch } from './batch.ts'
import { Change, type Hooks } from './change.ts'
import type { Ctx } from './context.ts'
import type { DueRow, FoundDueRow } from './due.ts'
import { Effects } from './effects.ts'
import type { Entity, FindOwner, ResourceRow } from './entity.ts'
import type { Footprint } from './footprint.ts'
import { Locks } from './locks.ts'
import { Moment } from './moment.ts'
import type { WritePlan } from './plan.ts'
import { Rendering } from './rendering.ts'
import type { StoredResponse } from './request.ts'
import { Rows } from './rows.ts'
import { Scheduling } from './scheduling.ts'

/** A change with the operations that `transact` and jobs have and handlers do not. */
export class Draft {
  readonly change: Change
  readonly #locks: Locks | null
  readonly #rows: Rows
  readonly #effects: Effects
  readonly #jobs = new Scheduling()
  readonly #rendering = new Rendering()
  readonly #hooks: Hooks = {
    onDuplicate: [],
    onConflict: [],
    repeatedIfTaken: new Set(),
    isDiscarded: false,
    isBodyStored: true,
    usesMemory: false,
  }

  /**
   * @param batch for a change of a batch, which takes no locks: an earlier change of the batch could hold one
   * @param trustsMemory false for a change that reads everything anew
   */
  constructor(ctx: Ctx, batch: Batch | null = null, trustsMemory = true) {
    const moment = new Moment(ctx.now)
    this.#locks = batch ? null : new Locks(ctx.writes.locks, ctx.env.tenantId)
    this.#rows = new Rows(ctx, moment, this.#locks, batch)
    this.#effects = new Effects(batch)
    this.change = new Change({
      ctx,
      moment,
      locks: this.#locks,
      rows: this.#rows,
      effects: this.#effects,
      jobs: this.#jobs,
      hooks: this.#hooks,
      trustsMemory,
    })
  }

  /** Makes this change the job that was due: it is written only if no other process has run the job. */
  completes(row: FoundDueRow): void {
    this.#jobs.completes(row)
  }

  /** Returns the response to the request of the change; null for background work. */
  respond(result: unknown): StoredResponse | null {
    const { ctx, now } = this.change
    return ctx.request
      ? ctx.request.respond(result, now, this.#rendering, () => this.#rows.isCreated(result as ResourceRow))
      : null
  }

  /** Runs the reactions to the rows that are written, and returns the plan of all writes. */
  async plan(response: StoredResponse | null): Promise<WritePlan> {
    const { ctx, now } = this.change
    const { tenantId } = ctx.env
    const { isDiscarded, isBodyStored } = this.#hooks
    if (!isDiscarded) await this.#react()
    const events = isDiscarded
      ? []
      : this.#rows.events({ now, actor: ctx.principal.actor, request: ctx.request }, this.#rendering)
    const { idempotency = null, id: requestId = '' } = ctx.request ?? {}
    const key =
      response && idempotency
        ? {
            ...idempotency,
            requestId,
            now,
            isBodyStored,
            response: events.length > 0 ? { ...response, resourceId: null } : response,
            event: events.find(({ object }) => object === response.body) ?? null,
          }
        : null
    if (isDiscarded) return { tenantId, parts: [], events, key }
    return {
      tenantId,
      parts: [...this.#jobs.parts, ...this.#rows.parts, ...this.#effects.parts],
      events,
      key,
    }
  }

  /** Runs once for each row that is written, including writes of reactions. */
  async #react(): Promise<void> {
    const { entities } = this.change.ctx.writes
    const done = new Set<object>()
    for (;;) {
      const next = this.#rows.dirty.filter((each) => !done.has(each))
      if (next.length === 0) return
      for (const tracked of next) {
        done.add(tracked)
        for (const react of entities.reactionsTo(tracked.entity.type))
          await react(this.change as never, tracked.before, tracked.after)
      }
    }
  }

  /** Adds everything that this change reads and writes to a footprint. */
  addTo(footprint: Footprint, { key }: WritePlan): void {
    this.#rows.addTo(footprint)
    this.#effects.addTo(footprint)
    this.#jobs.addTo(footprint)
    if (key) footprint.writes.add(`key/${key.key}`)
  }

  /** The jobs that this change schedules. */
  get scheduled(): DueRow[] {
    return this.#hooks.isDiscarded ? [] : this.#jobs.rows
  }

  committed(): void {
    if (!this.#hooks.isDiscarded) this.#effects.committed()
  }

  get removesRows(): boolean {
    return this.#rows.dirty.some(({ after }) => after === null)
  }

  /** @throws ApiError if a unique value of this change is taken */
  async explainDuplicate(): Promise<void> {
    for (const { entity, after } of this.#rows.dirty)
      if (after && (await refuseDuplicate(entity, after, this.change, this.#hooks))) return
    for (const explain of this.#hooks.onDuplicate) await explain()
  }

  get isDiscarded(): boolean {
    return this.#hooks.isDiscarded
  }

  get usesMemory(): boolean {
    return this.#hooks.usesMemory
  }

  /** Called after a write conflict. */
  forget(): void {
    for (const forget of this.#hooks.onConflict) forget()
  }

  releaseLocks(): void {
    this.#locks?.releaseAll()
  }
}

/**
 * Returns true if the handler shall run again, because a concurrent change has created the row that it looked for.
 * Other values that both have are then no error.
 */
async function refuseDuplicate<Row extends ResourceRow>(
  { prefix, unique = {} }: Entity<Row>,
  row: Row,
  { db, tenantId }: Change,
  { repeatedIfTaken }: Hooks,
): Promise<boolean> {
  const isRepeated = (field: string) => repeatedIfTaken.has(`${row.id}/${field}`)
  const fields = Object.entries(unique) as [string, FindOwner<Row>][]
  for (const [field, findOwner] of fields.toSorted(
    ([one], [other]) => +isRepeated(other) - +isRepeated(one),
  )) {
    const owner = await findOwner(row, db, tenantId)
    if (!owner || owner.id === row.id) continue
    if (isRepeated(field)) return true
    throw new ApiError('already_exists', { id: typeId(prefix, owner.id), field })
  }
  return false
}
