/** The longest address of RFC 5321. */
const longestAddress = 254
/** One `@`, and no spaces, control characters or invisible ones. */
const form = /^[^@\s\p{C}\p{Z}]+@[^@\s\p{C}\p{Z}]+$/u

/**
 * The e-mail address of claims if the provider vouches for it. Undefined if the claims do not say; an address of which
 * they say that it is not verified is null.
 *
 * `email_verified` is a boolean (OpenID Connect Core 1.0 section 5.1). Cognito's UserInfo endpoint and Apple send the
 * string "true", which means the same. An absent claim does not vouch: at many providers, people enter any address.
 */
export function verifiedEmailOf(claims: Record<string, unknown>, issuer: string): string | null | undefined {
  const { email, email_verified: verified = entraVerified(claims, issuer) } = claims
  if (email === undefined || verified === undefined) return undefined
  const isAddress = typeof email === 'string' && email.length <= longestAddress && form.test(email)
  return isAddress && (verified === true || verified === 'true') ? email : null
}

const entra = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
])

/**
 * Entra ID sends no `email_verified`. Its optional claim `xms_edov`, which is a boolean or "1", says that the owner of
 * the address's domain is verified. Elsewhere the claim means nothing.
 */
const entraVerified = (
  { xms_edov: verified }: Record<string, unknown>,
  issuer: string,
): boolean | undefined =>
  verified === undefined || !entra.has(new URL(issuer).hostname)
    ? undefined
    : [true, 'true', 1, '1'].includes(verified as string)
