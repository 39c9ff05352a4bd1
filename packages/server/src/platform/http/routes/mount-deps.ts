import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../postgres/database.ts'
import type { AttemptLimit } from '../../resource/access.ts'
import type { Services, Writes } from '../../unit-of-work/context.ts'
import type { Authenticate } from '../auth.ts'
import type { AttemptLimiter } from '../limits/attempt-limit.ts'
import type { AdmissionControl } from '../limits/load-shedding.ts'
import type { RateLimiter } from '../limits/rate-limit.ts'
import type { Unsent } from '../limits/unsent.ts'
import type { CursorCodec } from '../request/pagination.ts'
import type { OpenStreams } from '../response/streaming.ts'

/** The dependencies of mounted routes: one instance of each per server. */
export type MountDeps = {
  db: Db
  clock: Clock
  authenticate: Authenticate
  rateLimiter: RateLimiter | null
  /** Null if the limit is disabled. */
  attemptLimiters: Record<AttemptLimit, AttemptLimiter | null>
  workload: AdmissionControl
  unsent: Unsent
  cursors: CursorCodec
  /** An operator of an environment by UUID; null if there is none. */
  findOperator(tenantId: string, id: string): Promise<{ archived: boolean } | null>
  publicUrl: string
  /** The path of the API version that the routes belong to, such as `/v1`. */
  prefix: string
  writes: Writes
  services: Services
  streams: OpenStreams
  /** Invalidates cached keys and clocks in all processes. */
  forget(): void
}
