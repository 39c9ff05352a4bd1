import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import type { ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import type { OpenJob, Pace, Part } from '../kinds.ts'
import { type Job, selectedIds } from '../queries.ts'
import type { Action, Item } from './each.ts'
import { openPerformer } from './performer.ts'

/**
 * How far a job has come with its selection: the place of the next object, and earlier ones that are still to be done,
 * because their changes depended on others.
 */
export type Acting = { next: number; left: Item[] }

export const fromTheStart: Acting = { next: 0, left: [] }

/** The objects of a part: at first, and at most. More would keep other writes of the environment waiting. */
const sizes: [number, number] = [8, 128]

/** Performs an action on each object of the selection of a job. The state of the job is `Acting`. */
export function workOnSelection<Row extends ResourceRow>(
  ctx: () => Ctx,
  { tenantId, db }: { tenantId: string; db: Db },
  action: Action<Row>,
): OpenJob {
  const performer = openPerformer(ctx, action, sizes)

  async function itemsOf({ id, total, state }: Job, size: number): Promise<{ items: Item[]; next: number }> {
    const { left, next } = state as Acting
    if (left.length >= size) return { items: left.slice(0, size), next }
    const ids = await selectedIds(db, tenantId, id, next, Math.min(size - left.length, total! - next))
    return {
      items: [...left, ...ids.map((each, i) => ({ place: next + i, id: each }))],
      next: next + ids.length,
    }
  }

  return {
    async next(job: Job, pace: Pace): Promise<Part> {
      const { items, next } = await itemsOf(job, performer.sizeOf(pace))
      const begun = job.state as Acting
      const done = await performer.perform(items, pace)
      const left = [...done.left, ...begun.left.slice(items.length)]
      const isLast = left.length === 0 && next >= job.total!
      return {
        changes: done.changes,
        results: done.results,
        done: done.results.length,
        failed: done.failed,
        state: { next, left } satisfies Acting,
        ...(isLast ? { ends: {} } : {}),
      }
    },
    refused: (error) => performer.refused(error),
  }
}
