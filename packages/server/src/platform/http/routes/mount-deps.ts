import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../postgres/database.ts'
import type { Services, Writes } from '../../unit-of-work/context.ts'
import type { Principal } from '../../unit-of-work/principal.ts'
import type { AdmissionControl } from '../limits/load-shedding.ts'
import type { RateLimiter } from '../limits/rate-limit.ts'
import type { Places } from '../limits/transfer-places.ts'
import type { Unsent } from '../limits/unsent.ts'
import type { Recorder } from '../observability/request-records.ts'
import type { CursorCodec } from '../request/pagination.ts'
import type { OpenStreams } from '../response/streaming.ts'
import type { Access } from './access.ts'

/** The dependencies of mounted routes: one instance of each per server. */
export type MountDeps = {
  db: Db
  clock: Clock
  access: Access
  rateLimiter: RateLimiter | null
  /** The limits that routes name in `limitedFor`: each counts an attempt. @throws ApiError `rate_limited` */
  attemptLimits: Record<string, (principal: Principal, address: string) => void>
  workload: AdmissionControl
  unsent: Unsent
  downloads: Places
  /** Requests whose bytes arrive. */
  arrivals: Places
  cursors: CursorCodec
  publicUrl: string
  /** The path of the API version that the routes belong to, such as `/v1`. */
  prefix: string
  writes: Writes
  services: Services
  streams: OpenStreams
  /** Null without a log of requests. */
  recorder: Recorder | null
  /** Invalidates cached keys and clocks in all processes. */
  forget(): void
}
