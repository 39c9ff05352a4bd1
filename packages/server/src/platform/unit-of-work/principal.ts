import type { Instant } from '../kernel/clock.ts'
import type { Environment } from '../kernel/environment.ts'

/**
 * The actor as events and the audit log name it. `id` is a TypeID; null for the server itself. `operator_id` is the
 * person on whose behalf it acts.
 */
export type Actor = { type: string; id: string | null; operator_id: string | null }

/**
 * The sender of a request, or the server itself, and what it may do. The product makes it, by authentication; the
 * platform knows neither credentials nor people.
 */
export type Principal = {
  environment: Environment
  actor: Actor
  /** The kind of its credential; null without one. */
  credential: string | null
  /** The text of the credential; empty without one. It seals stored responses that contain a secret. */
  token: string
  /** Limits count for it: the UUID of a key or person, or an address. */
  holderId: string
  /** The kind of `holderId`, in refusals of the general limit: `params.per`. */
  countedAs: string
  allows(scope: string): boolean
  /** The space of its idempotency keys and cursors; null for that of the environment. */
  space: string | null
  /** The person on whose behalf it acts, as a UUID: of rows that are not for all, it sees theirs. Null sees all. */
  viewerId: string | null
  /** Versions of rows also count changes that it may not see. If false, `If-Match` is ignored. */
  seesVersions: boolean
  /** A lower maximum of open streams, and the end of its session, if streams can end by themselves. */
  streams: { most: number; endsAt: Instant } | null
  /** Members of its lines in the log: ids. */
  logged: Record<string, string>
  /** Further facts, which the product alone reads. */
  facts: object
}

/** The sender of a request that may have been refused, for the log of requests. It may do nothing. */
export type Caller = Pick<Principal, 'environment' | 'actor' | 'holderId' | 'viewerId' | 'facts'>
