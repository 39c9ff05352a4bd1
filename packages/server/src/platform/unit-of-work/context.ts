import type { BlockList } from 'node:net'
import type { JournalReader } from '../journal/journal-reader.ts'
import type { Instant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import type { KeyedMutex } from '../kernel/keyed-mutex.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Threads } from '../kernel/threads.ts'
import type { Db } from '../postgres/database.ts'
import type { Sql } from '../postgres/sql.ts'
import type { Committer } from './committer.ts'
import type { DueRow } from './due.ts'
import type { Entities } from './entity.ts'
import type { IdempotencyStore } from './idempotency-store.ts'
import type { Actor, RequestFacts } from './request.ts'

/** In whose name, where and when something happens. */
export type Ctx = {
  db: Db
  env: Environment
  actor: Actor
  /** May the key do this? For needs that depend on the body; a route's own scope is checked before. */
  allows(scope: string): boolean
  /** Null for background work. */
  request: RequestFacts | null
  /** The environment's present moment; all of the domain's time comes from here. */
  now(): Instant
  writes: Writes
  services: Services
}

/** What all writes of a server share. */
export type Writes = {
  entities: Entities
  committer: Committer
  keys: IdempotencyStore
  locks: KeyedMutex
  /** Called after each commit with the number of events that it appended. */
  onCommit(tenantId: string, events: number): void
  /** Called after each commit with the jobs that it scheduled. Resolves when those that were due `asOf` the change are done. */
  onScheduled(ctx: Ctx, rows: DueRow[], asOf: Instant): Promise<void>
}

/** What handlers use besides the database. */
export type Services = {
  /** How far the journal can be read. */
  journal: JournalReader
  /** Encrypts what must be stored and must not be readable in the database. */
  secretBox: SecretBox
  /** Worker threads, for functions that may take long. */
  threads: Threads
  /** Private networks to which webhooks may be sent. */
  webhookNetworks: BlockList
  /**
   * Does all that falls due, each job as of its own time. No other process does so meanwhile, from the call of `plan` to
   * the moment at which the clock has arrived; `moveClock` sets the clock on the way. Resolves to false when it stopped
   * before that, because a request takes no longer.
   */
  catchUp(ctx: Ctx, plan: () => Promise<CatchUpPlan>, moveClock: (to: Instant) => Sql): Promise<boolean>
}

/** From the present of `env` until `until()`; `arrive` sets its clock to that time. */
export type CatchUpPlan = { env: Environment; until(): Instant; arrive: Sql }
