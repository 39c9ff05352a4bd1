import { KeyedMutex } from '../platform/kernel/keyed-mutex.ts'
import type { Db } from '../platform/postgres/database.ts'
import { entitiesOf, type Resource } from '../platform/resource/resource.ts'
import { directCommitter } from '../platform/unit-of-work/committer.ts'
import type { Writes } from '../platform/unit-of-work/context.ts'
import { IdempotencyStore } from '../platform/unit-of-work/idempotency-store.ts'
import type { Optimizations } from './optimizations.ts'

/** The write path of a server. @param onCommit called after each commit with its number of events */
export const openWrites = (
  db: Db,
  resources: Pick<Resource, 'entities' | 'reactions'>[],
  onCommit: Writes['onCommit'],
  { committer, keys }: Pick<Optimizations, 'committer' | 'keys'>,
): Writes => ({
  entities: entitiesOf(resources),
  committer: committer(db),
  keys,
  locks: new KeyedMutex(),
  onCommit,
  onScheduled: async () => undefined,
})

/** The write path of a command: one change at a time, on rows without reactions, such as API keys. */
export const openPlainWrites = (db: Db): Writes => ({
  entities: entitiesOf([]),
  committer: directCommitter(db),
  keys: new IdempotencyStore(),
  locks: new KeyedMutex(),
  onCommit: () => undefined,
  onScheduled: async () => undefined,
})
