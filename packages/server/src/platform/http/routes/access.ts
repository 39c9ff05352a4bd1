import type { IncomingHttpHeaders } from 'node:http'
import type { FieldError } from '../../kernel/errors.ts'
import type { Route } from '../../resource/resource.ts'
import type { Caller, Principal } from '../../unit-of-work/principal.ts'

/** The sender of a request: an open stream keeps it, to be checked again. */
export type Sender = {
  /** The result of `claimOf`. */
  claim: unknown
  ip: string
  params: Record<string, string>
}

/** The authentication of the product. */
export type Access = {
  /** The text of the credential, to tell clients apart before any work for them; empty without one. */
  clientOf(headers: IncomingHttpHeaders): string
  /** The parts of the headers that `admit` reads. */
  claimOf(headers: IncomingHttpHeaders): unknown
  /**
   * Authenticates the sender, who must have the credential that the route takes, and its scope.
   * @param former the principal of an open stream that is checked again: not a use of the credential
   * @throws ApiError 401 and 403; 404 for an object that decides on the environment and does not exist; 429
   */
  admit(route: Route, sender: Sender, former?: Principal): Promise<Principal>
  /** The principal with the person that a header names as the one it acts for, or the faults of the header. */
  actFor(principal: Principal, route: Route, headers: IncomingHttpHeaders): Promise<Principal | FieldError[]>
  /**
   * The holder of the credential in the headers, also of one that was revoked or has expired; null for an unknown one.
   * Not a use. For requests that were refused before or by their admission.
   * @throws ApiError 429
   */
  recognize(headers: IncomingHttpHeaders, address: string): Promise<Caller | null>
  /** Invalidates the cache after this process has changed keys or sessions. */
  forget(): void
}
