import type { BlockList } from 'node:net'
import type { Clock } from '../kernel/clock.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Threads } from '../kernel/threads.ts'
import type { Db } from '../postgres/database.ts'
import type { Ctx } from '../unit-of-work/context.ts'
import type { Entities } from '../unit-of-work/entity.ts'
import type { Authenticate } from './auth.ts'
import type { AdmissionControl } from './load-shedding.ts'
import type { CursorCodec } from './pagination.ts'
import type { RateLimiter } from './rate-limit.ts'
import type { OpenStreams } from './streaming.ts'
import type { Unsent } from './unsent.ts'

/** The dependencies of mounted routes: one instance of each per server. */
export type MountDeps = {
  db: Db
  entities: Entities
  clock: Clock
  authenticate: Authenticate
  rateLimiter: RateLimiter | null
  workload: AdmissionControl
  unsent: Unsent
  cursors: CursorCodec
  /** An operator of an environment by UUID; null if there is none. */
  findOperator(tenantId: string, id: string): Promise<{ archived: boolean } | null>
  publicUrl: string
  secretBox: SecretBox
  threads: Threads
  webhookNetworks: BlockList
  /** The background work that requests depend on. */
  background: Pick<Ctx, 'appointed' | 'catchUp' | 'journal' | 'committed'>
  streams: OpenStreams
  /** Invalidates cached keys and clocks in all processes. */
  forget(): void
}
