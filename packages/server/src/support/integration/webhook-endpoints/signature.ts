import { createHmac, randomBytes } from 'node:crypto'
import { secretHint } from '../../../platform/kernel/key-format.ts'

/*
 * Signatures of Standard Webhooks 1.0, symmetric scheme `v1`:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme
 */
const prefix = 'whsec_'
const secretBytes = 32
/** What the specification asks of a secret at least. */
const leastSecretBytes = 24

/** `whsec_` and base64 of 32 random bytes. */
export const newWebhookSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** What a person may see of a secret to tell it from others: `whsec_…AbCd`; the padding tells nothing. */
export const webhookSecretHint = (secret: string): string => secretHint(secret.replace(/=+$/, ''))

export type SignatureHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

/**
 * The headers by which the receiver knows that the body is ours, and of now.
 * @param id the same for every attempt; without a full stop
 * @param timestamp of this attempt, in whole seconds since 1970
 * @param body exactly as it is sent, which is in UTF-8
 * @param secrets of `newWebhookSecret`; while one replaces another there are two, and each verifies
 * @throws TypeError when one of the secrets is none, without showing it
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
