import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx, StoredResponse } from '../context.ts'
import type { Instant } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import { etagOf, matchesVersion } from '../lib/etag.ts'
import { takeTurn } from '../lib/turns.ts'
import type { Db } from './database.ts'
import { DatabaseUnavailable, sqlState, sqlStates } from './errors.ts'
import { findKey, insertKey, type StoredKey } from './idempotency.ts'
import { type EventDraft, insertEvents } from './journal.ts'
import { comma, join, none, Sql, sql } from './sql.ts'

/** What every row has that the API shows as a resource. */
export type ResourceRow = {
  id: string
  version: number
  created_at: Instant
  updated_at: Instant
}

/** How one kind of row is found, written and shown; each resource folder declares its own. */
export type Entity<Row extends ResourceRow> = {
  /** The API's name of it: `object` in responses, `resource.type` in events, the first half of event types. */
  type: string
  find(db: Db, tenantId: string, id: string): Promise<Row | null>
  insert(tenantId: string, row: Row): Sql
  /** Writes every changeable column `where … version = row.version - 1`, with `returning 1`. */
  update(tenantId: string, row: Row): Sql
  /** Selects the row `where … version = row.version for share`: finds it only if nobody has changed it. */
  unchanged(tenantId: string, row: Row): Sql
  remove?(tenantId: string, row: Row): Sql
  wire: { present(row: Row): Record<string, unknown>; json(row: Row): string }
  /** The timeline that its events belong to; its own unless said otherwise. */
  streamId?(row: Row): string
}

/** Fields whose change is no news: every change raises them. */
const bookkeeping = new Set(['version', 'updated_at'])

/** How often a write that met another one on the same row is computed again before giving up. */
const maxAttempts = 20
const pauseStepMs = 4

export type Outcome<Result> =
  | { replayed: false; result: Result; response: StoredResponse | null }
  | { replayed: true; response: StoredKey }

/**
 * A write in the making. A handler reads, decides and says what shall be; nothing is sent until it returns.
 * Then rows, events, idempotency key and stored response go out as one statement, therefore as one
 * transaction: there is no line at which a crash leaves half of it.
 */
export class Change {
  readonly ctx: Ctx
  readonly db: Db
  readonly tenantId: string
  /** One moment for all that this change does. */
  readonly now: Instant
  readonly #statements: Sql[] = []
  readonly #guarded: Sql[] = []
  readonly #events: EventDraft[] = []
  readonly #duplicateChecks: (() => Promise<void>)[] = []
  #releaseTurn: (() => void) | null = null

  constructor(ctx: Ctx) {
    this.ctx = ctx
    this.db = ctx.db
    this.tenantId = ctx.env.tenantId
    this.now = ctx.now()
  }

  /**
   * The row that the request addresses: 404 when there is none, 412 when `If-Match` names another version.
   * Writers of one row within this process take turns.
   */
  async target<Row extends ResourceRow>(entity: Entity<Row>, id: string): Promise<Row> {
    if (!this.#releaseTurn) {
      this.#releaseTurn = await takeTurn(`${this.tenantId}/${id}`)
      if (!this.#releaseTurn) throw new DatabaseUnavailable('Too many writers wait for one row')
    }
    const row = await entity.find(this.db, this.tenantId, id)
    if (!row) throw new ApiError('not_found')
    const ifMatch = this.ctx.request?.ifMatch
    if (ifMatch != null && !matchesVersion(ifMatch, row.version)) {
      throw new ApiError('precondition_failed', {}, { headers: { etag: etagOf(row.version) } })
    }
    return row
  }

  create<Row extends ResourceRow>(entity: Entity<Row>, row: Row): Row {
    this.#statements.push(entity.insert(this.tenantId, row))
    this.#journal(entity, `${entity.type}.created`, row, '{}')
    return row
  }

  /** Applies `patch`; when it changes nothing that is shown, nothing is written and no event appears. */
  update<Row extends ResourceRow>(
    entity: Entity<Row>,
    row: Row,
    patch: Partial<Row>,
    eventType: string | null = `${entity.type}.updated`,
  ): Row {
    const next = { ...row, ...patch, version: row.version + 1, updated_at: this.now }
    const previous = formerValues(entity.wire.present(row), entity.wire.present(next))
    if (Object.keys(previous).length === 0) {
      this.require(entity, row) // what is answered, and kept for replays, must still be so
      return row
    }
    this.#guarded.push(entity.update(this.tenantId, next))
    if (eventType) this.#journal(entity, eventType, next, JSON.stringify(previous))
    return next
  }

  remove<Row extends ResourceRow>(entity: Entity<Row>, row: Row): void {
    if (!entity.remove) throw new Error(`${entity.type} cannot be removed`)
    this.#guarded.push(entity.remove(this.tenantId, row))
    this.#journal(entity, `${entity.type}.deleted`, row, '{}')
  }

  /** What was decided holds only if this row is still as it was read; otherwise the change is computed anew. */
  require<Row extends ResourceRow>(entity: Entity<Row>, row: Row): void {
    this.#guarded.push(entity.unchanged(this.tenantId, row))
  }

  /** A further statement of the same transaction, for rows that are part of a resource and not one themselves. */
  also(statement: Sql): void {
    this.#statements.push(statement)
  }

  /** A statement that must affect exactly one row (`returning 1`); otherwise the change is computed anew. */
  alsoExactlyOne(statement: Sql): void {
    this.#guarded.push(statement)
  }

  /** Asked when a unique value turns out to be taken: throws the error that names the owner. */
  ifTaken(explain: () => Promise<void>): void {
    this.#duplicateChecks.push(explain)
  }

  #journal<Row extends ResourceRow>(entity: Entity<Row>, type: string, row: Row, previous: string): void {
    this.#events.push({
      type,
      streamId: entity.streamId?.(row) ?? row.id,
      resourceType: entity.type,
      resourceId: row.id,
      resourceVersion: row.version,
      object: entity.wire.json(row),
      previous,
    })
  }

  async explainTaken(): Promise<void> {
    for (const explain of this.#duplicateChecks) await explain()
  }

  /**
   * Sends everything as one statement of flat CTEs. The outer select divides by the row count of each part that
   * must affect a row, in order: the key first, so that a duplicate request fails before it has written anything
   * (PostgreSQL runs parts that nobody reads last); a guard that did not hold divides by zero.
   */
  async commit(response: StoredResponse | null): Promise<void> {
    const ctes: Sql[] = []
    const keyed = response !== null && this.ctx.request?.idempotency != null
    if (keyed) {
      const resourceId = this.#events.length === 0 ? response.resourceId : null
      ctes.push(sql`k as (${insertKey(this.ctx, this.now, response, resourceId)})`)
    }
    for (const [i, statement] of this.#statements.entries()) ctes.push(sql`${plainPart(i)} as (${statement})`)
    for (const [i, statement] of this.#guarded.entries()) ctes.push(sql`${guardedPart(i)} as (${statement})`)
    if (this.#events.length > 0) ctes.push(sql`e as (${insertEvents(this.ctx, this.now, this.#events)})`)
    if (!keyed && this.#events.length === 0 && this.#statements.length === 0) return // guards alone write nothing
    const guards = this.#guarded.map((_, i) => sql` / (select count(*) from ${guardedPart(i)})`)
    if (keyed) guards.unshift(sql` / (select count(*) from k)`)
    await this.db.write(
      sql`with ${join(ctes, comma)} select 1${guards.length > 0 ? join(guards, none) : none}`,
    )
  }

  done(): void {
    this.#releaseTurn?.()
    this.#releaseTurn = null
  }
}

/**
 * Carries out a write: exactly once for its idempotency key, as one transaction, with its events.
 *
 * It is optimistic. `work` reads without locks; each row it changes is guarded by the version it read, and the
 * key by its primary key. If another writer was faster the statement fails as a whole and `work` runs again on
 * the newer rows; if our own twin was faster, its stored response is the answer. `work` must therefore have no
 * effect but through the Change it is given.
 *
 * @throws ApiError what `work` refuses, `idempotency_key_reused`, or `unavailable`
 */
export async function change<Result>(
  ctx: Ctx,
  work: (change: Change) => Promise<Result> | Result,
): Promise<Outcome<Result>> {
  for (let attempt = 1; ; attempt++) {
    const draft = new Change(ctx)
    try {
      const result = await work(draft)
      const response = ctx.request ? ctx.request.respond(result) : null
      await draft.commit(response)
      return { replayed: false, result, response }
    } catch (error) {
      // Whatever went wrong, our twin may have done the work meanwhile: then its answer counts, not the error.
      const twin = mayHaveTwin(error) ? await storedResponse(ctx) : null
      if (twin) return { replayed: true, response: twin }
      await decideRetry(draft, error, attempt, ctx)
    } finally {
      draft.done()
    }
  }
}

/** Not when the database is away, and not for a key that lacks a scope: it must not see the twin's answer. */
const mayHaveTwin = (error: unknown) =>
  !(error instanceof DatabaseUnavailable) && !(error instanceof ApiError && error.code === 'scope_missing')

async function storedResponse(ctx: Ctx): Promise<StoredKey | null> {
  const request = ctx.request
  if (!request?.idempotency) return null
  const { key, fingerprint } = request.idempotency
  const stored = await findKey(ctx.db, ctx.env.tenantId, key)
  if (!stored) return null
  if (!stored.fingerprint.equals(fingerprint)) {
    throw new ApiError('idempotency_key_reused', { original_request_id: stored.requestId })
  }
  return stored
}

/** Returns when the work should be tried again, throws what the client is to be told otherwise. */
async function decideRetry(draft: Change, error: unknown, attempt: number, ctx: Ctx): Promise<void> {
  if (isWaitForKey(error) && ctx.request?.idempotency) {
    throw new ApiError('idempotency_key_in_use', {}, { headers: { 'retry-after': '1' }, cause: error })
  }
  const state = sqlState(error)
  if (state === sqlStates.uniqueViolation) await draft.explainTaken()
  else if (state === sqlStates.foreignKeyViolation)
    throw new ApiError('resource_in_use', { hint: 'archive' }, { cause: error })
  else if (!isOvertaken(state)) throw error
  if (attempt >= maxAttempts) throw new DatabaseUnavailable('Too many writers on one row', { cause: error })
  if (attempt > 2) await sleep(Math.random() * attempt * pauseStepMs) // other processes write the same row
}

const isOvertaken = (state: string | undefined) =>
  state === sqlStates.divisionByZero ||
  state === sqlStates.serializationFailure ||
  state === sqlStates.deadlockDetected

/** The same key is being written by another process. PostgreSQL names the index it waited at in the error's context. */
const isWaitForKey = (error: unknown) =>
  error instanceof DatabaseUnavailable &&
  sqlState(error.cause) === sqlStates.lockNotAvailable &&
  String((error.cause as { where?: unknown }).where).includes('idempotency_keys')

function formerValues(before: Record<string, unknown>, after: Record<string, unknown>) {
  const former: Record<string, unknown> = {}
  for (const field of Object.keys(before)) {
    if (bookkeeping.has(field)) continue
    const was = before[field]
    if (was !== after[field] && JSON.stringify(was) !== JSON.stringify(after[field])) former[field] = was
  }
  return former
}

/** `w0`, `w1`, … name the parts of a statement. */
const partNames = (prefix: string) => {
  const known: Sql[] = []
  return (i: number): Sql => {
    known[i] ??= new Sql([`${prefix}${i}`], [])
    return known[i]
  }
}
const plainPart = partNames('w')
const guardedPart = partNames('g')
