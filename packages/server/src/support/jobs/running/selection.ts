import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { DatabaseUnavailable } from '../../../platform/postgres/errors.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import type { ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import type { OpenJob, Pace, Part } from '../kinds.ts'
import { type Job, selectedPart } from '../queries.ts'
import { type Action, type Done, type Item, performEach, refusalOf, refuse } from './each.ts'
import { sizeAt } from './pace.ts'

/**
 * How far a job has come with its selection: the place of the next object, and earlier ones that are still to be done,
 * because their changes depended on others.
 */
export type Acting = { next: number; left: Item[] }

export const fromTheStart: Acting = { next: 0, left: [] }

/** The objects of a part: at first, and at most. More would keep other writes of the environment waiting. */
const [firstSize, mostTogether] = [8, 128]

/** After so many failures in a row, objects are worked on one by one: the one that fails is a result. */
const mostFailures = 3

/** Performs an action on each object of the selection of a job. The state of the job is `Acting`. */
export function workOnSelection<Row extends ResourceRow>(
  ctx: () => Ctx,
  { tenantId, db }: { tenantId: string; db: Db },
  action: Action<Row>,
): OpenJob {
  let size = firstSize
  let latest: { done: Done; item: Item | undefined } | null = null
  /** An object that the database has refused. */
  let refused: { item: Item; error: ApiError } | null = null

  async function itemsOf({ id, total, state }: Job): Promise<{ items: Item[]; next: number }> {
    const { left, next } = state as Acting
    if (left.length >= size) return { items: left.slice(0, size), next }
    const ids = await idsFrom(db, tenantId, id, next, Math.min(size - left.length, total! - next))
    return {
      items: [...left, ...ids.map((each, i) => ({ place: next + i, id: each }))],
      next: next + ids.length,
    }
  }

  return {
    async next(job: Job, pace: Pace): Promise<Part> {
      const isAlone = pace.failures >= mostFailures
      size = refused || isAlone || pace.conflicts > 3 ? 1 : sizeAt(size, pace, mostTogether)
      const { items, next } = await itemsOf(job)
      const begun = job.state as Acting
      const done = refused
        ? withRefusal(refused, items, action)
        : await performEach(ctx, action, items).catch((error) => {
            if (!isAlone || error instanceof DatabaseUnavailable) throw error
            const cause = new ApiError('internal_error', {}, { cause: error })
            return withRefusal({ item: items[0]!, error: cause }, items, action)
          })
      refused = null
      latest = { done, item: items[0] }
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
    async refused(error) {
      const reason = latest && (await refusalOf(latest.done, error))
      if (reason && latest!.item) refused = { item: latest!.item, error: reason }
    },
  }
}

function withRefusal<Row extends ResourceRow>(
  { item, error }: { item: Item; error: ApiError },
  items: Item[],
  { entity }: Action<Row>,
): Done {
  const done: Done = {
    changes: [],
    results: [],
    failed: 0,
    left: items.filter(({ place }) => place !== item.place),
  }
  refuse(done, entity, item, error)
  return done
}

/** Up to `count` ids of a selection from a place on, of one of its parts. */
async function idsFrom(
  db: Db,
  tenantId: string,
  jobId: string,
  place: number,
  count: number,
): Promise<string[]> {
  const part = count > 0 ? await selectedPart(db, tenantId, jobId, place) : null
  if (!part) return []
  const from = place - part.first_place
  return part.ids.slice(from, from + count)
}
