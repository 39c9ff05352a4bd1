/** The reason for a failed attempt, as text for the owner of the endpoint. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure'
}

/** The error of attempts that were in progress when the transport closed; it says nothing about the receiver. */
export const interrupted = 'interrupted by shutdown'

export const timedOut = (what: string, ms: number) => new DeliveryFailure(`${what} after ${ms / 1000} s`)

/**
 * Texts by the `code` of errors of Node, OpenSSL (X509_V_ERR_…) and llhttp (HPE_…). Other errors show only their code.
 */
const texts: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  ECONNABORTED: 'connection reset',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  EHOSTDOWN: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENETDOWN: 'network unreachable',
  EADDRNOTAVAIL: 'network unreachable', // IPv6 on a machine without it

  ENOTFOUND: 'name not found',
  ENODATA: 'name not found',
  ENONAME: 'name not found',
  ETIMEOUT: 'name resolution timed out',
  EAI_AGAIN: 'name resolution failed',
  ESERVFAIL: 'name resolution failed',
  EREFUSED: 'name resolution failed',
  EFORMERR: 'name resolution failed',
  EBADRESP: 'name resolution failed',
  EBADNAME: 'name resolution failed',
  ENOTIMP: 'name resolution failed',

  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate: host name does not match',
  HOSTNAME_MISMATCH: 'certificate: host name does not match',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate: self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate: issuer not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate: issuer not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate: issuer not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate: issuer missing or not trusted',
  CERT_UNTRUSTED: 'certificate: issuer not trusted',
  CERT_HAS_EXPIRED: 'certificate: expired',
  CERT_NOT_YET_VALID: 'certificate: not valid yet',
  CERT_REVOKED: 'certificate: revoked',
  INVALID_PURPOSE: 'certificate: not valid for servers',

  HPE_HEADER_OVERFLOW: 'response header too large',
  ERR_INVALID_CHAR: 'invalid request header',
  ERR_INVALID_HTTP_TOKEN: 'invalid request header',
}

/** Texts for prefixes of codes that the list above does not contain. */
const families: [start: string, text: string][] = [
  ['HPE_', 'malformed response'],
  ['CERT_', 'certificate: not valid'],
  ['ERR_TLS_', 'TLS failed'],
  ['ERR_SSL_', 'TLS failed'],
  ['EPROTO', 'TLS failed'],
]

/** Returns a short stable text. It contains only the receiver's address and error codes. */
export function describeFailure(error: unknown): string {
  if (error instanceof DeliveryFailure) return error.message
  if (isHangUp(error)) return 'connection closed without a response'
  const code = codeOf(error)
  return (
    texts[code] ??
    families.find(([start]) => code.startsWith(start))?.[1] ??
    (code === '' ? 'request failed' : `request failed: ${code}`)
  )
}

/** True if the receiver closed the connection, also one that was idle before the request. */
export const isClosedByPeer = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error))

/** Node gives a connection that was closed normally the code of a reset one. */
const isHangUp = (error: unknown): boolean => error instanceof Error && error.message === 'socket hang up'

/** Returns the code of an error. An AggregateError of several failed addresses has the code of the first. */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as Record<string, unknown>
  return typeof code === 'string' ? code : ''
}
