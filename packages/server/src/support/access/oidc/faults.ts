/**
 * Why nobody is signed in: `denied`, the person or the provider refused; `expired`, the code was used before or is too
 * old; `not_verified`, the provider does not vouch for the e-mail address; `unavailable`, the provider is away, or
 * replies what cannot be accepted.
 */
export type OidcFault = 'denied' | 'expired' | 'not_verified' | 'unavailable'

/** A sign-in failed. The message is for the log: it contains neither secrets nor personal data. */
export class OidcError extends Error {
  override name = 'OidcError'
  readonly fault: OidcFault

  constructor(fault: OidcFault, message: string) {
    super(message)
    this.fault = fault
  }
}

/** The errors of OpenID Connect Core 1.0 section 3.1.2.6 and RFC 6749 section 4.1.2.1 that a person brings about. */
const refusals = new Set([
  'access_denied',
  'login_required',
  'interaction_required',
  'account_selection_required',
  'consent_required',
])

/**
 * Converts errors of openid-client, of `fetch` and of Node. Their causes contain tokens and claims, so nothing is
 * taken of them but fixed texts and codes.
 */
export function oidcErrorOf(error: unknown): OidcError {
  if (error instanceof OidcError) return error
  if (!(error instanceof Error)) return new OidcError('unavailable', 'unknown error')
  const { name, error: code, status } = error as Error & { error?: string; status?: number }
  if (name === 'AuthorizationResponseError') {
    const fault = refusals.has(String(code)) ? 'denied' : 'unavailable'
    return new OidcError(fault, `the authorization endpoint responded with ${codeOf(code)}`)
  }
  if (name === 'ResponseBodyError') {
    const fault = code === 'invalid_grant' ? 'expired' : 'unavailable'
    return new OidcError(fault, `the token endpoint responded with ${status} ${codeOf(code)}`)
  }
  if (name === 'WWWAuthenticateChallengeError')
    return new OidcError(
      'unavailable',
      `the provider rejected the client's ID, secret or token with ${status}`,
    )
  return new OidcError('unavailable', chainOf(error).map(textOf).join(': '))
}

/** The provider chooses these codes; RFC 6749 allows them to be long. */
const codeOf = (code: unknown): string =>
  typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : 'an unknown error'

function chainOf(error: Error): Error[] {
  const chain = [error]
  for (let { cause } = error; cause instanceof Error && chain.length < 4; { cause } = cause) chain.push(cause)
  return chain
}

/** The libraries' messages are fixed texts; those of Node name hosts and ports. JSON.parse quotes what it reads. */
const textOf = (error: Error): string => {
  if (error instanceof SyntaxError) return 'not JSON'
  const { code } = error as NodeJS.ErrnoException
  return error.message || (typeof code === 'string' ? code : error.name)
}
