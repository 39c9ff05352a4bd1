import { createHmac, randomBytes } from 'node:crypto'
import { secretHint } from '../../vocabulary/credentials.ts'

/*
 * Signatures of Standard Webhooks 1.0, symmetric scheme `v1`:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
const prefix = 'whsec_'
const secretBytes = 32
/** The minimum size of a secret in the specification. */
const leastSecretBytes = 24

/** Returns `whsec_` and base64 of 32 random bytes. */
export const newWebhookSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** Returns the displayable form of a secret: `whsec_…AbCd`, without padding. */
export const webhookSecretHint = (secret: string): string => secretHint(secret.replace(/=+$/, ''))

export type SignatureHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * Returns the headers by which a receiver verifies the sender and the time of a request.
 * @param id the same for every attempt; without a full stop
 * @param timestamp the time of this attempt in seconds since 1970
 * @param body exactly the text that is sent, as UTF-8
 * @param secrets from `newWebhookSecret`; two during a rotation, and each verifies
 * @throws TypeError if a secret is invalid; the message does not contain it
 */
export function signatureHeaders({
  id,
  timestamp,
  body,
  secrets,
}: {
  id: string
  timestamp: number
  body: string
  secrets: string[]
}): SignatureHeaders {
  const signed = `${id}.${timestamp}.${body}`
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  // Anybody could sign with a short or empty key.
  if (!secret.startsWith(prefix) || key.length < leastSecretBytes)
    throw new TypeError(`A webhook secret is ${prefix} and base64 of at least ${leastSecretBytes} bytes`)
  return key
}
