import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../kernel/errors.ts'
import { DatabaseUnavailable, sqlState, sqlStates } from '../postgres/errors.ts'
import type { Change } from './change.ts'
import type { Ctx } from './context.ts'
import { Draft } from './draft.ts'
import type { StoredKey } from './idempotency-keys.ts'
import type { WritePlan } from './plan.ts'
import type { StoredResponse } from './request.ts'

/** How often a write that met another one on the same row is computed again before it fails. */
const maxAttempts = 20
const pauseStepMs = 4

export type Outcome<Result> =
  | { replayed: false; result: Result; response: StoredResponse | null }
  | { replayed: true; response: StoredKey }

/**
 * Carries out a write: exactly once for its idempotency key, as one transaction, with its events.
 *
 * The write is optimistic. `work` reads without locks of the database; each row that it changes is guarded by the version
 * that it read, and the key by its primary key. If another writer was faster, the statement fails as a whole and `work`
 * runs again on the newer rows; if a twin with the same key was faster, its stored response is the answer. `work` must
 * therefore have no effect except through its Change.
 *
 * @throws ApiError what `work` refuses, `idempotency_key_reused`, or `unavailable`
 */
export async function transact<Result>(
  ctx: Ctx,
  work: (change: Change, draft: Draft) => Promise<Result> | Result,
): Promise<Outcome<Result>> {
  for (let attempt = 1; ; attempt++) {
    const draft = new Draft(ctx)
    try {
      const result = await work(draft.change, draft)
      const stored = isKnownRetry(ctx) ? await storedResponse(ctx) : null
      if (stored) return { replayed: true, response: stored }
      const response = draft.respond(result)
      await commit(ctx, [draft], [await draft.plan(response)])
      return { replayed: false, result, response }
    } catch (error) {
      // Whatever failed, a twin may have done the work meanwhile: then its response is the answer, not the error.
      const twin = mayHaveTwin(error) ? await storedResponse(ctx) : null
      if (twin) return { replayed: true, response: twin }
      await decideRetry(ctx, draft, error, attempt)
    } finally {
      draft.releaseLocks()
    }
  }
}

/** Writes changes of one environment as one transaction, and sees to the jobs that they schedule. */
export async function commit(ctx: Ctx, drafts: Draft[], plans: WritePlan[]): Promise<void> {
  const { writes, env, request } = ctx
  const together = request?.sharesCommits && plans.length === 1 ? drafts[0]!.footprint(plans[0]!) : undefined
  const wrote = await writes.committer.commit(plans, together)
  for (const draft of drafts) draft.releaseLocks()
  if (!wrote) return
  if (request?.idempotency) writes.keys.learn(env.tenantId, request.idempotency)
  writes.onCommit(
    env.tenantId,
    plans.reduce((sum, { events }) => sum + events.length, 0),
  )
  const scheduled = drafts.flatMap((draft) => draft.scheduled)
  if (scheduled.length > 0) await writes.onScheduled(ctx, scheduled, drafts[0]!.change.now)
}

const isKnownRetry = ({ env, request, writes }: Ctx): boolean =>
  request?.idempotency != null && writes.keys.isKnown(env.tenantId, request.idempotency)

/** Not when the database is away, and not for a key that lacks a scope: it must not see the twin's response. */
const mayHaveTwin = (error: unknown) =>
  !(error instanceof DatabaseUnavailable) && !(error instanceof ApiError && error.code === 'scope_missing')

const storedResponse = async ({ db, env, request, writes }: Ctx): Promise<StoredKey | null> =>
  request?.idempotency ? writes.keys.find(db, env.tenantId, request.idempotency) : null

/** Returns when the work should be tried again; throws the error for the client otherwise. */
async function decideRetry(ctx: Ctx, draft: Draft, error: unknown, attempt: number): Promise<void> {
  if (isWaitForKey(error) && ctx.request?.idempotency)
    throw new ApiError('idempotency_key_in_use', {}, { headers: { 'retry-after': '1' }, cause: error })
  const state = sqlState(error)
  if (isWriteConflict(state)) draft.forget()
  if (state === sqlStates.uniqueViolation) await draft.explainDuplicate()
  else if (state === sqlStates.foreignKeyViolation && draft.removesRows)
    throw new ApiError('resource_in_use', { hint: 'archive' }, { cause: error })
  else if (!isWriteConflict(state)) throw error
  if (attempt >= maxAttempts)
    throw new DatabaseUnavailable('Too many concurrent writes to one row', { cause: error })
  if (attempt > 2) await sleep(Math.random() * attempt * pauseStepMs) // other processes write the same row
}

/** Another writer was faster: it changed a row, or deleted one that this change refers to. */
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
