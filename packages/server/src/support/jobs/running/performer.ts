import { ApiError } from '../../../platform/kernel/errors.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import type { ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import type { Pace } from '../kinds.ts'
import { type Action, type Done, type Item, performEach, refusalOf, refuse } from './each.ts'
import { sizeAt } from './pace.ts'

/** After so many failures in a row, a part has one object. If that one fails too, its failure is a result. */
const failuresTogether = 2

/** Performs an action on objects, part by part. An object that fails does not keep the job from the others. */
export type Performer = {
  /** The number of objects of the next part. */
  sizeOf(pace: Pace): number
  perform(items: Item[], pace: Pace): Promise<Done>
  /** See `OpenJob`. */
  refused(error: unknown): Promise<void>
}

/** @param sizes the number of objects of the first part, and the most of one */
export function openPerformer<Row extends ResourceRow>(
  ctx: () => Ctx,
  action: Action<Row>,
  [first, most]: [number, number],
): Performer {
  let size = first
  let latest: { done: Done; item: Item } | null = null
  /** An object that the database has refused. */
  let refused: { item: Item; error: ApiError } | null = null
  return {
    sizeOf(pace) {
      const isAlone = refused || pace.failures >= failuresTogether || pace.conflicts > 3
      size = isAlone ? 1 : sizeAt(size, pace, most)
      return size
    },
    async perform(items, { failures }) {
      const [item] = items
      if (item && !refused && failures > failuresTogether)
        refused = { item, error: new ApiError('internal_error') }
      const done = refused ? withRefusal(refused, items, action) : await performEach(ctx, action, items)
      refused = null
      latest = item ? { done, item } : null
      return done
    },
    async refused(error) {
      const reason = latest && (await refusalOf(latest.done, error))
      if (reason) refused = { item: latest!.item, error: reason }
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
