import { plusSeconds } from '../../../../platform/kernel/clock.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { customFields } from '../entity.ts'
import type { CustomField } from '../queries.ts'
import { indexTexts } from '../values/index-text.ts'
import { insertKnownIndexed } from '../values/queries.ts'
import { batchSize, clearing } from './clearing.ts'
import {
  endTask,
  findTask,
  haveEndedBefore,
  moveTask,
  nextObjects,
  nextTransaction,
  setFence,
  type Task,
  valuesJob,
} from './queries.ts'

/*
 * Work on the values of a field, a batch at a time: each batch commits with the place that it reached, so that a server
 * that is killed goes on where it was.
 *
 * Filling an index misses no value. A statement decides as of its beginning whether the field is indexed, so one that
 * began after the field was changed writes its own entries. `fence` separates these from the ones before; work starts
 * when the latter have ended, and then reads what they wrote. An entry that a concurrent change made wrong does no
 * harm, because filters check what they find.
 *
 * Each batch guards the field: if it is changed or deleted meanwhile, which begins another task, the batch is repeated
 * with what is to be done then.
 */

/** The number of entries at which a batch ends: an object has as many as it has options. */
const mostEntries = 5_000
/** The pause until statements have ended, and the least time between two batches. */
const waitSeconds = 0.05

/** Performs the next batch of a task. */
export async function workOnValues(change: Change, fieldId: string): Promise<void> {
  const { db, tenantId } = change
  // The field comes first: if the task is newer, the guard fails.
  const field = await change.rows.find(customFields, fieldId)
  const task = await findTask(db, tenantId, fieldId)
  if (!task) return
  if (field) change.rows.guard(customFields, field)
  if (task.fence === null) {
    change.effects.write(setFence(tenantId, fieldId, await nextTransaction(db)))
    again(change, fieldId)
  } else if (!(await haveEndedBefore(db, task.fence))) again(change, fieldId)
  else if (field?.indexed ? await fill(change, task, field) : await clear(change, task, field !== null))
    change.effects.write(endTask(tenantId, fieldId))
}

/** @returns true if there is nothing left to do */
async function fill(change: Change, task: Task, field: CustomField): Promise<boolean> {
  const { db, tenantId } = change
  const objects = await nextObjects(db, tenantId, task, batchSize)
  let entries = 0
  for (const [i, { id, value }] of objects.entries()) {
    const texts = value === null ? [] : indexTexts(value)
    for (const text of texts)
      change.effects.writeBatched(insertKnownIndexed, { field_id: field.id, value: text, subject_id: id })
    entries += texts.length
    if (entries >= mostEntries || i === batchSize - 1) return moved(change, task, id)
  }
  change.startAfter(field)
  change.rows.update(customFields, field, { index_ready: true })
  return true
}

/** Clears the index; then removes the values, if the field is gone. */
async function clear(change: Change, task: Task, isDefined: boolean): Promise<boolean> {
  const { write, next } = await clearing(change.db, change.tenantId, task, isDefined)
  write(change)
  if (next === null) return true
  return next.after === task.after ? again(change, task.field_id) : moved(change, task, next.after)
}

function moved(change: Change, { field_id }: Task, after: string): boolean {
  change.effects.write(moveTask(change.tenantId, field_id, after))
  return again(change, field_id)
}

function again(change: Change, fieldId: string): false {
  change.jobs.schedule(valuesJob, fieldId, plusSeconds(change.now, waitSeconds))
  return false
}
