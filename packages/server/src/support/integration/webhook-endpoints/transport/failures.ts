/** Why an attempt came to nothing, in words for the owner of the endpoint. */
export class DeliveryFailure extends Error {
  override name = 'DeliveryFailure'
}

/** Of what was under way when the transport was closed: it says nothing about the receiver. */
export const interrupted = 'interrupted by shutdown'

export const timedOut = (what: string, ms: number) => new DeliveryFailure(`${what} after ${ms / 1000} s`)

/** By the `code` of errors of Node, OpenSSL (X509_V_ERR_…) and llhttp (HPE_…). What is not here is told by its code alone. */
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
  EADDRNOTAVAIL: 'network unreachable', // IPv6 on a machine that has none

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

/** Families of codes, for those that stand in no list. */
const families: [start: string, text: string][] = [
  ['HPE_', 'malformed response'],
  ['CERT_', 'certificate: not valid'],
  ['ERR_TLS_', 'TLS failed'],
  ['ERR_SSL_', 'TLS failed'],
  ['EPROTO', 'TLS failed'],
]

/** A short stable text, which holds nothing but the receiver's address and codes of errors. */
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

/** The other side ended the connection; a receiver that closes an idle one looks like this to the next request. */
export const isClosedByPeer = (error: unknown): boolean =>
  ['ECONNRESET', 'EPIPE', 'ECONNABORTED'].includes(codeOf(error))

/** Node gives a connection that was closed in order the code of one that was reset. */
const isHangUp = (error: unknown): boolean => error instanceof Error && error.message === 'socket hang up'

/** Several addresses that were tried in vain give an AggregateError, which has the code of the first. */
function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as Record<string, unknown>
  return typeof code === 'string' ? code : ''
}
