import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import { firstUuid, typeId } from '../../../../platform/kernel/ids.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { createJob } from '../../../jobs/actions.ts'
import { defineJobKind, type Part } from '../../../jobs/kinds.ts'
import { type CustomField, slotOf } from '../queries.ts'
import { batchSize, clearing } from './clearing.ts'
import { endTask, haveEndedBefore, nextObjects, nextTransaction, type Task, valuesJob } from './queries.ts'

/*
 * Removal of the values of a deleted field as a job, where there are many objects. The values are hidden from the
 * deletion on.
 */

/** `fence` is null until it has been noted: see actions.ts. */
type State = Task & { fence: string | null }

/** The pause until the statements have ended that may write a value. */
const waitMs = 50

/** True if removing the values of a field takes more than one batch. */
export async function isLong({ db, tenantId }: Change, field: CustomField): Promise<boolean> {
  return (await nextObjects(db, tenantId, taskOf(field), batchSize + 1)).length > batchSize
}

const taskOf = ({ id, applies_to }: CustomField): Task => ({
  field_id: id,
  applies_to,
  slot: slotOf(id),
  after: firstUuid,
})

/** Starts the removal of the values of a field that is deleted, in place of other work on them. */
export function startRemoval(change: Change, field: CustomField, startsAt: Instant): void {
  const { id, applies_to, key } = field
  change.effects.write(endTask(change.tenantId, id))
  change.jobs.cancel(valuesJob, id)
  createJob(change, {
    type: 'custom_field_removal',
    params: { custom_field_id: typeId('cf', id), applies_to, key },
    state: { ...taskOf(field), fence: null } satisfies State,
    startsAt,
  })
}

export const removal = defineJobKind({
  type: 'custom_field_removal',
  open: (ctx) => ({
    async next({ state }): Promise<Part> {
      const { db, env } = ctx()
      const { fence, ...task } = state as State
      const waiting = { done: 0, failed: 0 }
      if (fence === null) return { ...waiting, state: { ...task, fence: await nextTransaction(db) } }
      if (!(await haveEndedBefore(db, fence))) return { ...waiting, state, after: sleep(waitMs) }
      const { write, next, objects } = await clearing(db, env.tenantId, task, false)
      return {
        done: objects,
        failed: 0,
        state: { ...(next ?? task), fence },
        write,
        ...(next ? {} : { ends: {} }),
      }
    },
  }),
})
