import { uuidOf } from '../../../platform/kernel/ids.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { type Action, completed } from '../../automation/macros/action-schema.ts'
import { scopesOfActions } from '../../automation/macros/apply.ts'
import { macrosInUse } from '../../automation/macros/entity.ts'
import { checkReferences } from '../../automation/macros/references.ts'
import { requireActingOperator } from '../../desk/conversations/actions.ts'
import { conversationFilter } from '../../desk/conversations/finding/body-filter.ts'
import { createJob } from '../../jobs/actions.ts'
import { insertSelected, type Job, selectedTogether } from '../../jobs/queries.ts'
import { fromTheStart } from '../../jobs/running/selection.ts'
import { type BulkParams, selecting } from './params.ts'
import type { NewBulk } from './schema.ts'

/** Starts a job that performs actions on many conversations. The actions of a macro are those that it has now. */
export async function startBulk(change: Change, input: NewBulk): Promise<Job> {
  const { ids, filter } = input.selection
  const { allows } = change.ctx.principal
  const actions =
    input.macro_id == null ? input.actions!.map(completed) : await ofMacro(change, input.macro_id)
  requireScopes(allows, ...scopesOfActions(actions))
  if (input.macro_id == null) await checkReferences(change, null, actions, undefined)
  if (actions.some((action) => action.type === 'assign' && action.operator_id === 'me'))
    await requireActingOperator(change)
  if (filter !== undefined) {
    const references = new References(change)
    await conversationFilter(change.ctx, filter, references, '/selection/filter')
    references.check()
  }
  const selected = [...new Set(ids)]
  const params: BulkParams = {
    selection: ids ? { count: selected.length } : { filter },
    actions,
    macro_id: input.macro_id ?? null,
  }
  const job = createJob(change, {
    type: 'bulk',
    params,
    dry_run: input.dry_run ?? false,
    state: ids ? fromTheStart : selecting,
    total: ids ? selected.length : null,
  })
  for (let first = 0; first < selected.length; first += selectedTogether) {
    const ids = selected.slice(first, first + selectedTogether).map((id) => uuidOf('conv', id)!)
    change.effects.write(insertSelected(change.tenantId, { job_id: job.id, first_place: first, ids }))
  }
  return job
}

async function ofMacro(change: Change, id: string): Promise<Action[]> {
  requireScopes(change.ctx.principal.allows, 'macros:read')
  const references = new References(change)
  const macro = await references.to(macrosInUse, '/macro_id', id)
  references.check()
  return macro!.actions
}
