import type { BlockList } from 'node:net'
import type { FileStore } from '../files/store.ts'
import type { Commits } from '../journal/commits.ts'
import type { Ephemeral } from '../journal/ephemeral.ts'
import type { EventFilters } from '../journal/event-filters.ts'
import type { Instant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Semaphore } from '../kernel/semaphore.ts'
import type { Threads } from '../kernel/threads.ts'
import type { Span } from '../kernel/tracing.ts'
import type { Db } from '../postgres/database.ts'
import type { Sql } from '../postgres/sql.ts'
import { tracedDb } from '../postgres/traced-database.ts'
import type { Committer } from './committer.ts'
import type { DueRow } from './due.ts'
import type { Entities } from './entity.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import type { Principal } from './principal.ts'
import type { RequestFacts } from './request.ts'

/** The environment, sender and time of a request or job. */
export type Ctx = {
  db: Db
  /** The operation of a trace that this is part of; null if it is not recorded. */
  span: Span | null
  env: Environment
  /** The sender of the request; the server itself for background work. */
  principal: Principal
  /** Null for background work. */
  request: RequestFacts | null
  /** The current time of the environment; the domain uses no other clock. */
  now(): Instant
  /** The time to which a test clock is being moved, in work that falls due on the way. */
  movingTo?: Instant
  writes: Writes
  services: Services
}

/** A context whose statements are recorded as children of a span. */
export const within = (ctx: Ctx, span: Span | null): Ctx =>
  span ? { ...ctx, span, db: tracedDb(ctx.db, span) } : ctx

/** The parts of the write path that all writes of a server share. */
export type Writes = {
  entities: Entities
  committer: Committer
  keys: IdempotencyStore
  /** A mutex per key. */
  locks: Semaphore
  /** Called after each commit with the number of events that it appended. */
  onCommit(tenantId: string, events: number): void
  /** Called after each commit with the jobs that it scheduled. Resolves after those that were due `asOf` have run. */
  onScheduled(ctx: Ctx, rows: DueRow[], asOf: Instant): Promise<void>
}

/** The services of handlers besides the database. Modules above the platform add theirs; `compose/` makes all. */
export interface Services {
  /** Notifications of commits. */
  commits: Commits
  /** Events that are stored nowhere. */
  ephemeral: Ephemeral
  /** Filters of webhook endpoints. */
  eventFilters: EventFilters
  /** Encrypts values that the database must not contain in plain text. */
  secretBox: SecretBox
  /** Worker threads for functions that may take long. */
  threads: Threads
  files: FileService
  /** Private networks that may receive webhooks. */
  webhookNetworks: BlockList
  /** Private networks with SMTP relays, to any port and also without TLS. */
  smtpNetworks: BlockList
  /**
   * Runs all work that falls due, each job at its own time, while no other process does. This lasts from the call of
   * `plan` until the clock has arrived; `moveClock` sets the clock on the way. Resolves to false if the time limit of a
   * request ends it earlier.
   */
  catchUp(ctx: Ctx, plan: () => Promise<CatchUpPlan>, moveClock: (to: Instant) => Sql): Promise<boolean>
}

/** Where the bytes of files are, and what files must comply with. */
export type FileService = {
  store: FileStore
  /** The maximum length of a file. */
  maxBytes: number
  /** True if a scanner looks for malware before a file is ready. */
  scans: boolean
}

/** The period from the current time of `env` to `until()`; `arrive` sets the clock to its end. */
export type CatchUpPlan = { env: Environment; until(): Instant; arrive: Sql }
