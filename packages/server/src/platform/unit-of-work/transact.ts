import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../kernel/errors.ts'
import { DatabaseUnavailable, sqlState, sqlStates } from '../postgres/errors.ts'
import { Change } from './change.ts'
import type { Ctx, StoredResponse } from './context.ts'
import { writeTogether } from './group-commit.ts'
import { findKey, isRemembered, rememberStored, type StoredKey } from './idempotency.ts'
import { type Prepared, statementOf } from './statement.ts'

/** How often a write that met another one on the same row is computed again before giving up. */
const maxAttempts = 20
const pauseStepMs = 4

export type Outcome<Result> =
  | { replayed: false; result: Result; response: StoredResponse | null }
  | { replayed: true; response: StoredKey }

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
export async function transact<Result>(
  ctx: Ctx,
  work: (change: Change) => Promise<Result> | Result,
): Promise<Outcome<Result>> {
  for (let attempt = 1; ; attempt++) {
    const draft = new Change(ctx)
    try {
      const result = await work(draft)
      const known = isRetry(ctx) ? await storedResponse(ctx) : null
      if (known) return { replayed: true, response: known }
      const response = ctx.request ? ctx.request.respond(result, draft.now) : null
      await commit([draft], [await draft.prepare(response)])
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

/** Has this process seen that the key is stored? Then there is nothing to try. */
const isRetry = ({ request }: Ctx): boolean =>
  request?.idempotency != null && isRemembered(request.idempotency.key)

/** Sends changes of one environment as one statement, and sees to the work that they appoint. */
export async function commit(drafts: Change[], prepared: Prepared[]): Promise<void> {
  const { ctx, db } = drafts[0]!
  if (ctx.request?.sharesCommits) await writeTogether(drafts[0]!, prepared[0]!)
  else {
    const statement = statementOf(prepared)
    if (!statement) return
    await db.write(statement)
  }
  for (const draft of drafts) draft.done()
  if (ctx.request?.idempotency) rememberStored(ctx.request.idempotency.key)
  ctx.committed?.(
    ctx.env.tenantId,
    prepared.reduce((sum, { events }) => sum + events.length, 0),
  )
  const scheduled = drafts.flatMap((draft) => draft.scheduled)
  if (scheduled.length > 0) await ctx.appointed?.(ctx, scheduled, drafts[0]!.now)
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
  rememberStored(key)
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
  if (isWriteConflict(state)) draft.conflicted()
  if (state === sqlStates.uniqueViolation) await draft.explainDuplicate()
  else if (state === sqlStates.foreignKeyViolation && draft.removesSomething)
    throw new ApiError('resource_in_use', { hint: 'archive' }, { cause: error })
  else if (!isWriteConflict(state)) throw error
  if (attempt >= maxAttempts)
    throw new DatabaseUnavailable('Too many concurrent writes to one row', { cause: error })
  if (attempt > 2) await sleep(Math.random() * attempt * pauseStepMs) // other processes write the same row
}

/** Somebody was faster: changed a row, or deleted one that this change refers to. */
export const isWriteConflict = (state: string | undefined) =>
  state === sqlStates.divisionByZero ||
  state === sqlStates.serializationFailure ||
  state === sqlStates.deadlockDetected ||
  state === sqlStates.foreignKeyViolation

/** The same key is being written by another process. PostgreSQL names the index it waited at in the error's context. */
const isWaitForKey = (error: unknown) =>
  error instanceof DatabaseUnavailable &&
  sqlState(error.cause) === sqlStates.lockNotAvailable &&
  String((error.cause as { where?: unknown }).where).includes('idempotency_keys')
