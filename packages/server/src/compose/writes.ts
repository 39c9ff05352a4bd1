import { histogram, type Metrics } from '../platform/kernel/metrics.ts'
import { openSemaphore } from '../platform/kernel/semaphore.ts'
import type { Db } from '../platform/postgres/database.ts'
import { entitiesOf } from '../platform/resource/entities.ts'
import type { Resource } from '../platform/resource/resource.ts'
import type { Writes } from '../platform/unit-of-work/context.ts'
import { type Optimizations, plain } from './optimizations.ts'

/** The write path of a server. @param onCommit called after each commit with its number of events */
export function openWrites(
  db: Db,
  resources: Pick<Resource, 'entities' | 'reactions'>[],
  onCommit: Writes['onCommit'],
  { committer, keys }: Pick<Optimizations, 'committer' | 'keys'>,
  metrics: Metrics,
): Writes {
  const sizes = histogram(metrics, {
    name: 'backline_commit_changes',
    help: 'Changes per statement of group commit: requests that shared one transaction.',
    buckets: [1, 2, 4, 8, 16, 32, 64],
  })
  return {
    entities: entitiesOf(resources),
    committer: committer(db, (changes) => sizes.observe(changes)),
    keys: keys(),
    locks: openSemaphore({ limitOfKey: 1 }),
    onCommit,
    onScheduled: async () => undefined,
  }
}

/** The write path of a command: one change at a time, on rows without reactions, such as API keys. */
export const openPlainWrites = (db: Db): Writes => ({
  entities: entitiesOf([]),
  committer: plain.committer(db, () => undefined),
  keys: plain.keys(),
  locks: openSemaphore({ limitOfKey: 1 }),
  onCommit: () => undefined,
  onScheduled: async () => undefined,
})
