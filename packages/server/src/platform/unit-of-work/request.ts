import type { Instant } from '../kernel/clock.ts'
import type { Rendering } from './rendering.ts'

/** A response as it is stored for replays: text, so that a replay is byte-identical. */
export type StoredResponse = {
  status: number
  body: string
  location: string | null
  etag: string | null
  /** The resource that the response contains; null for others. */
  resourceId: string | null
  /** A second form of the body, which contains a secret and is encrypted with the credential of the request. */
  sealed: Buffer | null
}

/** The facts of an HTTP request that its write depends on. */
export type RequestFacts = {
  id: string
  ip: string
  userAgent: string | null
  ifMatch: string | null
  /** True if the write may be part of one statement with concurrent ones. */
  sharesStatements: boolean
  idempotency: Idempotency | null
  /**
   * Serializes a handler's result as the response, which the transaction of the write stores.
   * @param isCreated returns true if the result is a row that the change creates
   */
  respond(result: unknown, now: Instant, rendering: Rendering, isCreated: () => boolean): StoredResponse
}

/**
 * The idempotency key of a request, as it is stored, and a hash of the request. A key may be used again only with the
 * same hash.
 */
export type Idempotency = { key: string; fingerprint: Buffer }
