import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../kernel/errors.ts'
import { recorded, type Span } from '../kernel/tracing.ts'
import { DatabaseUnavailable, isWaitFor, isWriteConflict, sqlState, sqlStates } from '../postgres/errors.ts'
import { postgres } from '../postgres/traced-database.ts'
import type { Change } from './change.ts'
import type { Written } from './committer.ts'
import type { Ctx } from './context.ts'
import { Draft } from './draft.ts'
import { Footprint } from './footprint.ts'
import type { StoredKey } from './idempotency-keys.ts'
import type { WritePlan } from './plan.ts'
import type { StoredResponse } from './request.ts'

/** The number of attempts before a write fails because of write conflicts. */
const maxAttempts = 40
const pauseStepMs = 4

export type Outcome<Result> = { replayed: false; result: Result; response: StoredResponse | null } | Replay

type Replay = { replayed: true; response: StoredKey & { body: string } }

/**
 * Runs a write as one transaction with its events, exactly once per idempotency key.
 *
 * The write is optimistic. `work` reads without locks of the database. A guard on the version protects each row that it
 * changes, and the primary key protects the idempotency key. After a write conflict, nothing was written and
 * `work` runs again on the newer rows. If a concurrent request with the same key was faster, its stored response is
 * returned. `work` must therefore have no effect except through its Change. If it writes nothing, because it refuses
 * the request or discards the change, and has used what this process remembers, it runs again without that.
 * @throws ApiError from `work`, `idempotency_key_reused`, or `unavailable`
 */
export async function transact<Result>(
  ctx: Ctx,
  work: (change: Change, draft: Draft) => Promise<Result> | Result,
): Promise<Outcome<Result>> {
  let trustsMemory = true
  for (let attempt = 1; ; attempt++) {
    const draft = new Draft(ctx, null, trustsMemory)
    let response: StoredResponse | null = null
    try {
      const result = await work(draft.change, draft)
      if (draft.isDiscarded && draft.usesMemory && trustsMemory) {
        trustsMemory = false // no guard protects what is not written
        continue
      }
      response = draft.respond(result)
      const replay = isKnownRetry(ctx) ? await replayOf(ctx, response) : null
      if (replay) return replay
      await commit(ctx, [draft], [await draft.plan(response)])
      return { replayed: false, result, response }
    } catch (error) {
      // After any failure, a request with the same key may have succeeded: its response takes precedence over the
      // error.
      const twin = mayHaveTwin(error) ? await replayOf(ctx, response) : null
      if (twin) return twin
      if (error instanceof ApiError && draft.usesMemory) trustsMemory = false
      else await decideRetry(ctx, draft, error, attempt)
    } finally {
      draft.releaseLocks()
    }
  }
}

/** Writes changes of one environment as one transaction, and passes on the jobs that they schedule. */
export async function commit(ctx: Ctx, drafts: Draft[], plans: WritePlan[]): Promise<void> {
  const { writes, env, request } = ctx
  const footprint = new Footprint()
  for (const [i, draft] of drafts.entries()) draft.addTo(footprint, plans[i]!)
  const committed = writes.committer.commit(plans, {
    footprint,
    byStatement: request?.sharesStatements ?? false,
  })
  const written = await (ctx.span ? recordCommit(ctx.span, committed) : committed)
  for (const draft of drafts) draft.releaseLocks()
  if (!written) return
  if (request?.idempotency) writes.keys.learn(env.tenantId, request.idempotency)
  writes.onCommit(
    env.tenantId,
    plans.reduce((sum, { events }) => sum + events.length, 0),
  )
  for (const draft of drafts) draft.committed()
  const scheduled = drafts.flatMap((draft) => draft.scheduled)
  if (scheduled.length > 0) await writes.onScheduled(ctx, scheduled, drafts[0]!.change.now)
}

/**
 * Records a commit in each of the requests that share its transaction: with its own wait, and the number of the others.
 * Spans have one parent, so one span for the transaction would be missing in all traces but one.
 */
async function recordCommit(parent: Span, committed: Promise<Written | null>): Promise<Written | null> {
  const span = parent.child('COMMIT', 'client', { ...postgres, 'db.operation.name': 'COMMIT' })
  return recorded(
    span,
    committed.then((written) => {
      if (written)
        span.set({ 'db.operation.batch.size': written.changes, 'backline.commit.wait_ms': written.waitedMs })
      return written
    }),
  )
}

const isKnownRetry = ({ env, request, writes }: Ctx): boolean =>
  request?.idempotency != null && writes.keys.isKnown(env.tenantId, request.idempotency)

/** False if the database is unavailable, and for a key without the scope: it must not see the response. */
const mayHaveTwin = (error: unknown) =>
  !(error instanceof DatabaseUnavailable) && !(error instanceof ApiError && error.code === 'scope_missing')

/**
 * Returns the response that is stored under the key of the request; null if there is none.
 * @param computed has the body if that is not stored; null if the handler failed
 */
async function replayOf(
  { db, env, request, writes }: Ctx,
  computed: StoredResponse | null,
): Promise<Replay | null> {
  if (!request?.idempotency) return null
  const stored = await writes.keys.find(db, env.tenantId, request.idempotency)
  const body = stored?.body ?? computed?.body
  return stored && body !== undefined ? { replayed: true, response: { ...stored, body } } : null
}

/** Returns if the write should be attempted again; throws the error for the client otherwise. */
async function decideRetry(ctx: Ctx, draft: Draft, error: unknown, attempt: number): Promise<void> {
  if (isWaitForKey(error) && ctx.request?.idempotency)
    throw new ApiError('idempotency_key_in_use', {}, { headers: { 'retry-after': '1' }, cause: error })
  const state = sqlState(error)
  if (isWriteConflict(state)) draft.forget()
  if (state === sqlStates.uniqueViolation) await draft.explainDuplicate()
  else if (state === sqlStates.foreignKeyViolation && draft.removesRows)
    throw new ApiError('resource_in_use', { hint: 'archive' }, { cause: error })
  else if (!isWriteConflict(state)) throw error
  if (attempt >= maxAttempts && state === sqlStates.uniqueViolation)
    throw new Error('A unique index was violated that no entity declares in `unique`', { cause: error })
  if (attempt >= maxAttempts)
    throw new DatabaseUnavailable('Too many concurrent writes to one row', { cause: error })
  if (attempt > 2) await sleep(Math.random() * attempt * pauseStepMs) // other processes write the same row
}

/** True if another process is writing the same key. */
const isWaitForKey = (error: unknown) => isWaitFor('idempotency_keys', error)
