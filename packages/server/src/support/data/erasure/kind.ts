import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { createJob } from '../../jobs/actions.ts'
import { defineJobKind, type Part } from '../../jobs/kinds.ts'
import { findUnended, type Job } from '../../jobs/queries.ts'
import { oneChange } from '../../jobs/running/one-change.ts'
import { refuseAgents } from '../refusing.ts'
import { eraseSome, planErasure, startErasure } from './erase.ts'
import type { NewErasure } from './schema.ts'
import type { ErasureMode, ErasureState } from './state.ts'

type Params = { end_user_id: string; mode: ErasureMode }

/** Starts the erasure of a person. @throws ApiError `legal_hold`; `job_running` if one has not ended */
export async function startErasureJob(
  change: Change,
  id: string,
  { mode = 'anonymise', dry_run = false }: NewErasure,
): Promise<Job> {
  await refuseAgents(change)
  const state = await startErasure(change, id, mode)
  const params: Params = { end_user_id: typeId('eu', id), mode }
  if (!dry_run) {
    await refuseSecond(change, params)
    change.onDuplicate(() => refuseSecond(change, params)) // two requests at once
  }
  return createJob(change, { type: 'erasure', params, dry_run, state })
}

async function refuseSecond({ db, tenantId }: Change, { end_user_id }: Params): Promise<void> {
  const running = await findUnended(db, tenantId, 'erasure', end_user_id)
  if (running) throw new ApiError('job_running', { job_id: typeId('job', running.id) })
}

export const erasure = defineJobKind({
  type: 'erasure',
  open: (ctx, { dry_run }) => ({
    async next(job): Promise<Part> {
      const state = job.state as ErasureState
      if (dry_run) {
        const { db, env } = ctx()
        const counts = await planErasure({ db, tenantId: env.tenantId }, state.end_user_id, state.mode)
        return { done: 0, failed: 0, state, ends: { result: { erasure_id: null, counts } } }
      }
      const { change, result } = await oneChange(ctx(), (change) => eraseSome(change, state))
      const { state: next, counts, erasure } = result
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
      return {
        changes: [change],
        done: rows - job.done,
        failed: 0,
        state: next,
        ...(erasure ? { ends: { result: { erasure_id: typeId('era', erasure.id), counts } } } : {}),
      }
    },
  }),
})
