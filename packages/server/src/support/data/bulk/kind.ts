import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { changesOf, performActions, whyNot } from '../../automation/macros/apply.ts'
import { macrosInUse } from '../../automation/macros/entity.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import { storedConversationFilter } from '../../desk/conversations/finding/body-filter.ts'
import { nextFoundIds } from '../../desk/conversations/finding/next-found.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { defineJobKind, JobFailed, type OpenJob, type Part } from '../../jobs/kinds.ts'
import { insertSelected, type Job, selectedTogether } from '../../jobs/queries.ts'
import type { Action } from '../../jobs/running/each.ts'
import { fromTheStart, workOnSelection } from '../../jobs/running/selection.ts'
import type { BulkParams, BulkState, Selecting } from './params.ts'
import { maxSelected } from './schema.ts'

export const bulk = defineJobKind({
  type: 'bulk',
  open(ctx, job): OpenJob {
    const params = job.params as BulkParams
    const { db, env } = ctx()
    const acting = workOnSelection(ctx, { db, tenantId: env.tenantId }, actionOf(params, job))
    return {
      next: (now, pace) =>
        'after' in (now.state as BulkState) ? select(ctx(), now, params) : acting.next(now, pace),
      refused: async (error) => acting.refused!(error),
    }
  },
})

/** Adds the next conversations that meet the filter to the selection. */
async function select(ctx: Ctx, { id, total, state }: Job, { selection }: BulkParams): Promise<Part> {
  const { after } = state as Selecting
  const json = (selection as { filter: unknown }).filter
  const filter = await storedConversationFilter(ctx, json)
  if (!filter)
    throw new JobFailed({ code: 'view_broken', detail: 'The filter names a field that was deleted.' })
  const { ids, reached } = await nextFoundIds(ctx, filter, { after, limit: selectedTogether })
  const before = total ?? 0
  const count = before + ids.length
  if (count > maxSelected) {
    const detail = `The filter selects more than ${maxSelected} conversations. Nothing was changed.`
    throw new JobFailed({ code: 'too_large', detail })
  }
  const part = { job_id: id, first_place: before, ids }
  const isSelected = reached === null
  return {
    done: 0,
    failed: 0,
    total: count,
    state: isSelected ? fromTheStart : { after: reached },
    write(change) {
      if (ids.length > 0) change.effects.write(insertSelected(change.tenantId, part))
    },
    ...(isSelected && count === 0 ? { ends: {} } : {}),
  }
}

/** Performs the actions on one conversation: all of them or none. */
function actionOf({ actions, macro_id }: BulkParams, { dry_run }: Job): Action<Conversation> {
  const macroId = macro_id === null ? null : uuidOf('mac', macro_id)
  return {
    entity: conversations,
    dryRun: dry_run,
    async perform(change, id) {
      const before = await change.rows.find(conversations, id)
      if (!before) throw new ApiError('not_found')
      change.startAfter(before)
      if (macroId !== null) await refuseIfUnfit(change, macroId, before)
      const { conversation } = await performActions(change, { id: macroId, actions }, before)
      return dry_run ? changesOf(before, conversation, change.now) : null
    },
  }
}

/** A macro may be for conversations of some departments. It may have been deleted since the start of the job. */
async function refuseIfUnfit(change: Change, macroId: string, conversation: Conversation): Promise<void> {
  const macro = await change.rows.find(macrosInUse, macroId)
  const detail = macro && whyNot({ ...macro, archived: false }, conversation)
  if (detail)
    throw invalidBody({ pointer: '/macro_id', code: 'not_allowed', detail: `the conversation ${detail}` })
}
