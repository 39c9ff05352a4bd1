import type { Instant } from '../kernel/clock.ts'
import type { Rendering } from './rendering.ts'

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
  idempotency: Idempotency | null
  /** Shapes a handler's result into the response, so that it can be stored in the write's own transaction. */
  respond(result: unknown, now: Instant, rendering: Rendering): StoredResponse
}

/** The key of a request, and a hash of the request: a key that is used again must come with the same. */
export type Idempotency = { key: string; fingerprint: Buffer }
