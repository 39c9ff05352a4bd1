import { on } from '../../../../platform/resource/resource.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { workspaces } from '../../../admin/workspace/entity.ts'
import { departments } from '../../../team/departments/entity.ts'
import { assignmentRules, raiseGeneration } from './queries.ts'

function raise(change: Change): void {
  change.effects.writeCounter(raiseGeneration, null)
  assignmentRules.forgetAfter(change)
}

export const assigningReactions = [
  on(workspaces, (change, before, after) => {
    const isSame =
      before?.claim_order === after?.claim_order && before?.reply_assigns === after?.reply_assigns
    if (!isSame) raise(change)
  }),
  on(departments, (change, before, after) => {
    if ((before?.reply_assigns ?? false) !== (after?.reply_assigns ?? false)) raise(change)
  }),
]
