import type { Clock } from '../kernel/clock.ts'
import type { Db } from '../postgres/database.ts'
import type { Services, Writes } from '../unit-of-work/context.ts'
import type { Authenticate } from './auth.ts'
import type { AdmissionControl } from './load-shedding.ts'
import type { CursorCodec } from './pagination.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { OpenStreams } from './streaming.ts'
import type { Unsent } from './unsent.ts'

/** What routes are mounted with: one instance of each for a server. */
export type MountDeps = {
  db: Db
  clock: Clock
  authenticate: Authenticate
  rateLimiter: RateLimiter | null
  workload: AdmissionControl
  unsent: Unsent
  cursors: CursorCodec
  /** An operator of an environment by its UUID; null when there is none. */
  findOperator(tenantId: string, id: string): Promise<{ archived: boolean } | null>
  publicUrl: string
  writes: Writes
  services: Services
  streams: OpenStreams
  /** What is remembered of keys and clocks does not count any more, in any process. */
  forget(): void
}
