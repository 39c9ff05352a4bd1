import type { IncomingHttpHeaders } from 'node:http'
import { ApiError } from '../../../platform/kernel/errors.ts'

/*
 * Requests of the console, which a cookie authenticates. Another site cannot forge one: `Backline-Console` is no header
 * that a form can send, a page of another origin that sends it is asked for a preflight request that nothing here
 * permits, and the origin is checked besides.
 */

/** The header that requests of the console must have. Requests to an environment name it there. */
export const consoleHeader = 'backline-console'

/** The parts of a request that say whether the console sent it. */
export type ConsoleClaim = {
  environment: string
  cookie: string | undefined
  origin: string | undefined
  host: string | undefined
  site: string | undefined
}

/** Null for a request without the header of the console. */
export function consoleClaimOf(headers: IncomingHttpHeaders): ConsoleClaim | null {
  const environment = headers[consoleHeader]
  if (environment === undefined) return null
  const { cookie, origin, host } = headers
  return {
    environment: String(environment),
    cookie,
    origin,
    host,
    site: headers['sec-fetch-site'] as string | undefined,
  }
}

const maxShownLength = 300

/** @throws ApiError `origin_not_allowed` for a request that a page of another origin has sent */
export function requireOwnOrigin({ origin, host, site }: ConsoleClaim, publicUrl: string): void {
  const isForeign = origin !== undefined && !isOwn(origin, host, publicUrl)
  if (!isForeign && (site === undefined || site === 'same-origin')) return
  const params = origin === undefined ? {} : { origin: origin.slice(0, maxShownLength) }
  const detail = 'The console takes requests of its own origin alone.'
  throw new ApiError('origin_not_allowed', params, { detail })
}

function isOwn(origin: string, host: string | undefined, publicUrl: string): boolean {
  const sent = URL.parse(origin)
  if (sent === null || sent.origin === 'null') return false // such as a sandboxed frame
  const own = new URL(publicUrl)
  if (own.protocol === 'https:' && sent.protocol !== 'https:') return false // a page that anybody on the way can write
  return sent.origin === own.origin || (host !== undefined && sent.host === host.toLowerCase())
}
