import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto'
import type { FieldError } from '../../../platform/kernel/errors.ts'

export const algorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
export type Algorithm = (typeof algorithms)[number]
export type PublicKeyAlgorithm = Exclude<Algorithm, 'HS256'>

/** NIST SP 800-56B: an exponent below 3 signs nothing. Longer keys would take seconds of a thread to verify. */
const rsaBits = { min: 2_048, max: 8_192 }
const isExponent = (exponent: bigint): boolean =>
  exponent % 2n === 1n && exponent >= 3n && exponent < 2n ** 32n

/**
 * The encodings of points of small order on Curve25519, without the sign bit, in hexadecimal. Anybody can make
 * signatures that such a key verifies (Chalkias, Garillot and Nikolaenko, "Taming the many EdDSAs", 2020).
 */
const smallOrder = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ec${'ff'.repeat(30)}7f`,
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
])

type Fault = Pick<FieldError, 'code' | 'detail'>

/** The key type of an algorithm, and its name for clients. */
const kinds: Record<PublicKeyAlgorithm, { fits(key: KeyObject): boolean; noun: string }> = {
  RS256: { fits: (key) => key.asymmetricKeyType === 'rsa', noun: 'an RSA key' },
  ES256: {
    fits: (key) => key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1',
    noun: 'an elliptic-curve key on P-256',
  },
  EdDSA: { fits: (key) => key.asymmetricKeyType === 'ed25519', noun: 'an Ed25519 key' },
}

/** Reads a public key in PEM, or a JWK as an object or text. The result is PEM, null for HS256, or the fault. */
export function readPublicKey(
  given: string | Record<string, unknown> | null,
  algorithm: Algorithm,
): { pem: string | null } | { fault: Fault } {
  if (algorithm === 'HS256')
    return given === null
      ? { pem: null }
      : { fault: { code: 'not_allowed', detail: 'must be absent for HS256, whose secret the server makes' } }
  if (given === null) return { fault: { code: 'required', detail: `is required for ${algorithm}` } }
  if (isPrivate(given))
    return { fault: { code: 'not_allowed', detail: 'must not contain a private key: send the public key' } }
  const key = keyOf(given)
  if (!key) return { fault: { code: 'bad_format', detail: 'must be a public key in PEM, or a JWK' } }
  const fault = faultOf(key, algorithm)
  return fault ? { fault } : { pem: key.export({ type: 'spki', format: 'pem' }).toString() }
}

/** The fault of a key that must verify no signature of this algorithm; null if there is none. */
export function faultOf(key: KeyObject, algorithm: PublicKeyAlgorithm): Fault | null {
  const { fits, noun } = kinds[algorithm]
  if (!fits(key)) return { code: 'not_allowed', detail: `must be ${noun} for ${algorithm}` }
  if (algorithm === 'EdDSA' && isOfSmallOrder(key))
    return { code: 'not_allowed', detail: 'must not be a point of small order' }
  if (algorithm !== 'RS256') return null
  const { modulusLength: bits = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
  if (bits < rsaBits.min) return { code: 'too_small', detail: `must have at least ${rsaBits.min} bits` }
  if (bits > rsaBits.max) return { code: 'too_large', detail: `must have at most ${rsaBits.max} bits` }
  return isExponent(publicExponent)
    ? null
    : { code: 'not_allowed', detail: 'must have an odd public exponent of at least 3 and less than 2^32' }
}

function isOfSmallOrder(key: KeyObject): boolean {
  const point = Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url')
  point[31]! &= 0x7f
  return smallOrder.has(point.toString('hex'))
}

const jwkOf = (given: string | Record<string, unknown>): Record<string, unknown> | null => {
  if (typeof given !== 'string') return given
  if (!given.trimStart().startsWith('{')) return null
  try {
    return JSON.parse(given)
  } catch {
    return null
  }
}

/** RFC 7518, sections 6.2.2, 6.3.2 and 6.4. */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

function isPrivate(given: string | Record<string, unknown>): boolean {
  const jwk = jwkOf(given)
  return jwk ? privateMembers.some((name) => name in jwk) : /PRIVATE KEY/.test(given as string)
}

function keyOf(given: string | Record<string, unknown>): KeyObject | null {
  const jwk = jwkOf(given)
  try {
    return jwk
      ? createPublicKey({ key: jwk as JsonWebKeyInput['key'], format: 'jwk' })
      : createPublicKey({ key: given as string, format: 'pem' })
  } catch {
    return null
  }
}
