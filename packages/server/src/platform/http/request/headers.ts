import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import { ApiError } from '../../kernel/errors.ts'

/**
 * The lines of a header as received: Node's `headers` joins or drops repeated ones. `headersDistinct` would build a
 * list for every header, which stays in memory with the request.
 * @param name in lower case
 */
export function linesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const lines: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const each = rawHeaders[i]!
    if (each.length === name.length && each.toLowerCase() === name) lines.push(rawHeaders[i + 1]!)
  }
  return lines
}

/** @throws ApiError `not_acceptable` if `Accept` excludes all of `offered` (RFC 9110 section 12.5.1) */
export function requireAcceptable(accept: string | undefined, offered: readonly [string, ...string[]]): void {
  if (accept === undefined || accept === '*/*' || beginsWith(accept, offered[0])) return
  const negotiator = new Negotiator({ headers: { accept } })
  if (negotiator.mediaType(offered) !== undefined) return
  // A type with parameters, such as a charset, is matched without them.
  const named = negotiator.mediaTypes().map((type) => type.toLowerCase())
  if (!offered.some((type) => named.includes(type)))
    throw new ApiError('not_acceptable', { available: offered })
}

/** Most clients list the preferred type first and without a weight: such headers are not parsed. */
const beginsWith = (accept: string, type: string): boolean =>
  accept.startsWith(type) && (accept.length === type.length || accept[type.length] === ',')

/** True if the client prefers HTML, like a browser. */
export const prefersHtml = (accept: string | undefined): boolean =>
  new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html'
