import type { Loop } from '../../../../platform/jobs/loops.ts'
import { type Clock, plusSeconds, toInstant } from '../../../../platform/kernel/clock.ts'
import type { Environment } from '../../../../platform/kernel/environment.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { transact } from '../../../../platform/unit-of-work/transact.ts'
import { disableEndpoint } from '../actions.ts'
import type { DisabledReason } from '../queries.ts'
import type { Answer } from '../transport.ts'
import { isGone, isSuccess } from './attempt.ts'
import { type DueDelivery, type FailingEndpoint, type Fate, type Outcome, recordOutcomes } from './queries.ts'

/** An attempt that has ended. */
export type Ended = {
  delivery: DueDelivery
  url: string
  answer: Answer
  outcome: Outcome
  /** False if no request was sent for a reason that says nothing about the endpoint, such as an event that expired. */
  isJudged: boolean
}

export type RecordingDeps = { db: Db; clock: Clock; loop: Loop; context(env: Environment): Ctx }

/** The contract: an endpoint is disabled after this time without a success and this number of failures. */
const patience = { seconds: 5 * 86_400, failures: 20 }

/**
 * Records attempts of one environment in the order of their ends. Disables endpoints that are gone or keep failing.
 * @param mayBeFailing false for an endpoint without failures since its last success, whose state stays the same
 */
export async function record(
  deps: RecordingDeps,
  env: Environment,
  batch: Ended[],
  mayBeFailing: (endpointId: string) => boolean,
): Promise<void> {
  const outcomes = batch.map(({ outcome }) => outcome)
  const fates = fatesOf(batch).filter(({ endpointId, failures }) => failures > 0 || mayBeFailing(endpointId))
  const failing = await recordOutcomes(deps.db.home(env.tenantId), env.tenantId, outcomes, fates)
  await disableSome(deps, env, batch, failing).catch((error) => {
    // It is tried again after the next failure of the endpoint.
    deps.loop.failed(error, { tenant_id: env.tenantId, step: 'disabling an endpoint' })
  })
}

async function disableSome(
  { clock, context }: RecordingDeps,
  env: Environment,
  batch: Ended[],
  failing: FailingEndpoint[],
): Promise<void> {
  const now = toInstant(clock() + env.clockOffsetMs)
  const isTired = ({ consecutive_failures: failures, failing_since: since }: FailingEndpoint) =>
    failures >= patience.failures && since !== null && plusSeconds(since, patience.seconds) <= now
  const tired = new Set(failing.filter(isTired).map(({ endpoint_id }) => endpoint_id))
  const disabled = new Map<string, { url: string; reason: DisabledReason }>()
  for (const { delivery, url, answer } of batch) {
    const id = delivery.endpoint_id
    if (isGone(answer)) disabled.set(id, { url, reason: 'gone' })
    else if (tired.has(id) && disabled.get(id)?.reason !== 'gone')
      disabled.set(id, { url, reason: 'failing' })
  }
  for (const [id, { url, reason }] of disabled)
    await transact(context(env), (draft) => disableEndpoint(draft, id, url, reason))
}

/** Summarizes the attempts of a batch per endpoint. */
function fatesOf(batch: Ended[]): Fate[] {
  const fates = new Map<string, Fate>()
  for (const { delivery, answer, outcome, isJudged } of batch) {
    if (!isJudged) continue
    const endpointId = delivery.endpoint_id
    const former = fates.get(endpointId) ?? { endpointId, succeeded: false, failures: 0, failingSince: null }
    fates.set(
      endpointId,
      isSuccess(answer)
        ? { endpointId, succeeded: true, failures: 0, failingSince: null }
        : { ...former, failures: former.failures + 1, failingSince: former.failingSince ?? outcome.at },
    )
  }
  return [...fates.values()]
}
