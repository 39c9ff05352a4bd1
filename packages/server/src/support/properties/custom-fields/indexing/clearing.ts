import type { Db } from '../../../../platform/postgres/database.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { deleteIndexed } from '../values/queries.ts'
import { nextObjects, removeValues, someEntries, type Task } from './queries.ts'

export const batchSize = 2_000

/** The next batch of clearing a field. */
type Batch = {
  write(change: Change): void
  /** The task after this batch; null if nothing is left. */
  next: Task | null
  /** The number of objects that were looked at. */
  objects: number
}

/** Clears the index of a field; then removes the values, if the field is gone. */
export async function clearing(db: Db, tenantId: string, task: Task, isDefined: boolean): Promise<Batch> {
  const entries = await someEntries(db, tenantId, task.field_id, batchSize)
  const hasMoreEntries = entries.length === batchSize
  const objects = hasMoreEntries || isDefined ? [] : await nextObjects(db, tenantId, task, batchSize)
  const holders = objects.filter(({ value }) => value !== null).map(({ id }) => id)
  const isLast = !hasMoreEntries && objects.length < batchSize
  return {
    write({ effects }) {
      for (const entry of entries) effects.writeBatched(deleteIndexed, { field_id: task.field_id, ...entry })
      if (holders.length > 0) effects.write(removeValues(tenantId, task, holders))
    },
    next: isLast ? null : { ...task, after: objects.at(-1)?.id ?? task.after },
    objects: objects.length,
  }
}
