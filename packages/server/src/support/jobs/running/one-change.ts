import { Batch } from '../../../platform/unit-of-work/batch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { Draft } from '../../../platform/unit-of-work/draft.ts'
import type { WritePlan } from '../../../platform/unit-of-work/plan.ts'

/** Performs the work of a part as one change, which is written with the part. */
export async function oneChange<Result>(
  ctx: Ctx,
  perform: (change: Change) => Promise<Result>,
): Promise<{ change: { draft: Draft; plan: WritePlan }; result: Result }> {
  const draft = new Draft(ctx, new Batch(), false)
  const result = await perform(draft.change)
  return { change: { draft, plan: await draft.plan(null) }, result }
}
