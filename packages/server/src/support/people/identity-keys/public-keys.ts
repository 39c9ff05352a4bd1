import { createPublicKey, type JsonWebKeyInput, type KeyObject } from 'node:crypto'
import type { FieldError } from '../../../platform/kernel/errors.ts'

export const algorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const
export type Algorithm = (typeof algorithms)[number]
export type PublicKeyAlgorithm = Exclude<Algorithm, 'HS256'>

const minRsaBits = 2048

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

/** Parses a public key in PEM, or a JWK as an object or text. The result is PEM, or the fault. */
export function parsePublicKey(
  given: string | Record<string, unknown>,
  algorithm: PublicKeyAlgorithm,
): { pem: string } | { fault: Fault } {
  if (isPrivate(given))
    return { fault: { code: 'not_allowed', detail: 'must not contain a private key: send the public key' } }
  const key = keyOf(given)
  if (!key) return { fault: { code: 'bad_format', detail: 'must be a public key in PEM, or a JWK' } }
  const { fits, noun } = kinds[algorithm]
  if (!fits(key)) return { fault: { code: 'not_allowed', detail: `must be ${noun} for ${algorithm}` } }
  const bits = key.asymmetricKeyDetails?.modulusLength
  if (algorithm === 'RS256' && bits! < minRsaBits)
    return { fault: { code: 'too_small', detail: `must have at least ${minRsaBits} bits` } }
  return { pem: key.export({ type: 'spki', format: 'pem' }).toString() }
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

function isPrivate(given: string | Record<string, unknown>): boolean {
  const jwk = jwkOf(given)
  return jwk ? 'd' in jwk || 'k' in jwk : /PRIVATE KEY/.test(given as string)
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
