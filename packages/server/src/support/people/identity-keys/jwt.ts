import type { KeyObject } from 'node:crypto'
import { compactVerify, errors } from 'jose'
import { type Instant, toUnixMs } from '../../../platform/kernel/clock.ts'
import { invalidIdentity } from '../../vocabulary/errors.ts'
import type { Algorithm } from './public-keys.ts'

/** A key that verifies signatures, and the claims that its JWTs must have. */
export type VerificationKey = {
  algorithm: Algorithm
  key: KeyObject
  issuer: string | null
  audience: string | null
}

/** Verified claims. The others of OpenID Connect may be of any type. */
export type Claims = { sub: string } & Record<string, unknown>

/** Longer JWTs are refused before anything is read of them. */
const maxLength = 16_384
const leewaySeconds = 60
const maxLifetimeSeconds = 24 * 3_600

const shape = /^[\w-]+\.[\w-]+\.[\w-]*$/
/** Names of an algorithm in `alg`. Ed25519 also has a name of its own (RFC 9864). */
const namesOf: Record<Algorithm, string[]> = {
  HS256: ['HS256'],
  RS256: ['RS256'],
  ES256: ['ES256'],
  EdDSA: ['EdDSA', 'Ed25519'],
}

/**
 * Verifies a JWT (RFC 7519) and returns its claims.
 * @param keysFor the keys to try: the one that `kid` names, or the newest if the JWT names none
 * @param now the time of the environment
 * @throws ApiError `identity_invalid` with the reason
 */
export async function verifyJwt(
  jwt: string,
  keysFor: (kid: string | null) => Promise<VerificationKey[]>,
  now: Instant,
): Promise<Claims> {
  if (jwt.length > maxLength || !shape.test(jwt)) throw invalidIdentity('malformed')
  const [head, body] = jwt.split('.').map(parsed)
  if (!head || !body || typeof head.alg !== 'string') throw invalidIdentity('malformed')
  // No extension is understood (RFC 7515, section 4.1.11); JWTs must not use that of RFC 7797.
  if (head.crit !== undefined) throw invalidIdentity('malformed')
  if (head.kid !== undefined && typeof head.kid !== 'string') throw invalidIdentity('malformed')
  const keys = await keysFor((head.kid as string | undefined) ?? null)
  if (keys.length === 0) throw invalidIdentity('unknown_key')
  const key = await signerOf(jwt, head.alg, keys)
  checkParties(body, key)
  checkTimes(body, toUnixMs(now) / 1000)
  return checkSubject(body)
}

type Json = Record<string, unknown>

/** The JSON object that a part of a JWT encodes; null if it is none. */
function parsed(part: string): Json | null {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(part, 'base64url')))
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/**
 * The key that has signed a JWT. The algorithm is that of the key: a JWT whose header names another one has no signer,
 * so neither `none` nor a public key that is used as a secret (RFC 8725 section 2.1) gets anywhere.
 */
async function signerOf(jwt: string, alg: string, keys: VerificationKey[]): Promise<VerificationKey> {
  for (const each of keys) {
    if (!namesOf[each.algorithm].includes(alg)) continue
    try {
      await compactVerify(jwt, each.key, { algorithms: namesOf[each.algorithm] })
      return each
    } catch (error) {
      if (error instanceof errors.JWSSignatureVerificationFailed) continue
      throw invalidIdentity(error instanceof errors.JOSEError ? 'malformed' : 'signature')
    }
  }
  throw invalidIdentity('signature')
}

function checkParties({ iss, aud }: Json, { issuer, audience }: VerificationKey): void {
  if (issuer !== null && iss !== issuer) throw invalidIdentity('issuer')
  if (audience !== null && ![aud].flat().includes(audience)) throw invalidIdentity('audience')
}

function checkTimes({ exp, nbf, iat }: Json, now: number): void {
  for (const time of [exp, nbf, iat])
    if (time !== undefined && !Number.isFinite(time)) throw invalidIdentity('claims')
  if (exp === undefined) throw invalidIdentity('lifetime')
  for (const begin of [nbf, iat])
    if (begin !== undefined && (begin as number) > now + leewaySeconds) throw invalidIdentity('not_yet_valid')
  if ((exp as number) <= now - leewaySeconds) throw invalidIdentity('expired')
  if ((exp as number) > now + maxLifetimeSeconds + leewaySeconds) throw invalidIdentity('lifetime')
}

/** The external id of an end user: 1 to 255 characters that PostgreSQL can store, without white space at its ends. */
function checkSubject(claims: Json): Claims {
  const { sub } = claims
  const isId =
    typeof sub === 'string' &&
    sub !== '' &&
    sub === sub.trim() &&
    [...sub].length <= 255 &&
    !sub.includes('\0') &&
    sub.isWellFormed()
  if (!isId) throw invalidIdentity('claims')
  return claims as Claims
}
