import type { BlockList } from 'node:net'
import type { JournalReader } from '../journal/journal-reader.ts'
import type { Instant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Threads } from '../kernel/threads.ts'
import type { Db } from '../postgres/database.ts'
import type { Sql } from '../postgres/sql.ts'
import type { Entities } from './entity.ts'

/** Who acts, as events and the audit log name it. `id` is a TypeID; null only for the server itself. */
export type Actor = {
  type: 'api_key' | 'system'
  id: string | null
  operator_id: string | null
}

/** A response as it is kept for replays: text, so that a replay is the same byte for byte. */
export type StoredResponse = {
  status: number
  body: string
  location: string | null
  etag: string | null
  /** The resource it shows; null for others. */
  resourceId: string | null
  /** A second form of the body that holds a secret, sealed with the presented API key. */
  sealed: Buffer | null
}

/** What a write needs to know of the HTTP request that caused it. */
export type RequestFacts = {
  id: string
  ip: string
  userAgent: string | null
  ifMatch: string | null
  /** May it be written in one statement with others that come at the same time? */
  sharesCommits: boolean
  idempotency: { key: string; fingerprint: Buffer } | null
  /** Shapes a handler's result into the response, so that it can be stored in the write's own transaction. */
  respond(result: unknown, now: Instant): StoredResponse
}

/** A job on a subject, due at a time of its environment's clock. */
export type DueRow = { job: string; subjectId: string; dueAt: Instant }

/** It as it is found; an appointment that was made since, even for the same time, has a higher number. */
export type FoundDueRow = DueRow & { appointment: number }

/** In whose name, where and when something happens. The database handle inside is never captured by modules. */
export type Ctx = {
  db: Db
  env: Environment
  actor: Actor
  /** May the key do this? For needs that depend on the body; a route's own scope is checked before. */
  allows(scope: string): boolean
  entities: Entities
  /** Null for background work. */
  request: RequestFacts | null
  /** The environment's present moment; all of the domain's time comes from here. */
  now(): Instant
  /** Told after each commit in an environment how many events it appended. */
  committed?(tenantId: string, events: number): void
  /** How far the journal can be read. */
  journal?: JournalReader
  /** Encrypts what must be kept and must not be read in the database; the command line has none. */
  secretBox?: SecretBox
  /** Worker threads, for functions that may take long; the command line has none. */
  threads?: Threads
  /** Networks of the configuration to which webhooks may go although they are private; background work has none. */
  webhookNetworks?: BlockList
  /** Told after each commit of the work that it appointed; what was due at once, `asOf` the change, may be done before it resolves. */
  appointed?(ctx: Ctx, rows: DueRow[], asOf: Instant): Promise<void>
  /**
   * Does all that falls due, each as of its own time. Nobody else does so meanwhile, from the moment that `plan` is
   * asked to the one that its clock is where it shall be; `moveClock` takes the clock along on the way. Resolves to false
   * when it stopped before, because a request takes no longer.
   */
  catchUp?(ctx: Ctx, plan: () => Promise<CatchUpPlan>, moveClock: (to: Instant) => Sql): Promise<boolean>
}

/** From where `env` is now until `until()`; `arrive` sets its clock to what that has been. */
export type CatchUpPlan = { env: Environment; until(): Instant; arrive: Sql }
