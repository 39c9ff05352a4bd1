import {
  type ById,
  type Db,
  type Pages,
  plainById,
  plainPages,
  plainShared,
  type Shared,
} from '../platform/postgres/database.ts'
import { preparedStatements, unprepared } from '../platform/postgres/prepared-statements.ts'
import type { Statements } from '../platform/postgres/workers.ts'
import { batchLoader } from '../platform/tables/batch-loader.ts'
import { rowCache } from '../platform/tables/row-cache.ts'
import { sharedPages } from '../platform/tables/shared-pages.ts'
import { type Committer, directCommitter } from '../platform/unit-of-work/committer.ts'
import { groupCommitter } from '../platform/unit-of-work/group-commit.ts'
import { IdempotencyStore } from '../platform/unit-of-work/idempotency-store.ts'

/**
 * Replaceable parts that only make a server faster. With the plain form of each, it behaves the same, more slowly.
 */
export type Optimizations = {
  committer(db: Db, onWritten: (changes: number) => void): Committer
  byId(): ById
  pages(): Pages
  shared(): Shared
  statements: Statements
  keys(): IdempotencyStore
}

export const optimized: Optimizations = {
  committer: groupCommitter,
  byId: batchLoader,
  pages: rowCache,
  shared: sharedPages,
  statements: preparedStatements,
  keys: () => new IdempotencyStore(),
}

export const plain: Optimizations = {
  committer: directCommitter,
  byId: () => plainById,
  pages: () => plainPages,
  shared: () => plainShared,
  statements: unprepared,
  keys: () => new IdempotencyStore({ remembers: false }),
}
