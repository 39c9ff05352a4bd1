import { WebhookVerificationError } from './errors.ts'
import type { WebhookEvent } from './types.generated.ts'

/** Headers of a request: `Headers`, or those of Node's `http` and of Express and Fastify. */
export type WebhookHeaders = Headers | Record<string, string | readonly string[] | undefined>

export type UnwrapOptions = {
  /** The largest difference between the time of the request and now, in seconds; default 300. */
  toleranceSeconds?: number | undefined
}

const prefix = 'whsec_'

/**
 * Verifies a request of a webhook endpoint (Standard Webhooks) and returns its event. The same event can arrive more
 * than once: its `id` tells.
 *
 * An endpoint with `payload: "thin"` sends events without `data`.
 *
 * @param body the raw body, before a parser has changed it
 * @param secret the secret of the endpoint, `whsec_…`; several of them during a rotation
 * @throws WebhookVerificationError if no signature is right or the request is too old; TypeError for a malformed secret
 * or a parsed body
 */
export async function unwrap(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300 }: UnwrapOptions = {},
): Promise<WebhookEvent> {
  const text = textOf(body)
  const keys = await keysOf(secret)
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string]
  checkTime(timestamp, toleranceSeconds)
  if (!(await isSigned(`${id}.${timestamp}.${text}`, signatures, keys)))
    throw new WebhookVerificationError(
      'No signature of the webhook is right. Check that secret belongs to this endpoint and that body is the raw body.',
    )
  return JSON.parse(text)
}

function textOf(body: string | Uint8Array | ArrayBuffer): string {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array || body instanceof ArrayBuffer) return new TextDecoder().decode(body)
  throw new TypeError('body is not the raw body, but parsed: pass the text or the bytes that arrived.')
}

/** @param secret one secret or several */
async function keysOf(secret: string | readonly string[]): Promise<CryptoKey[]> {
  const secrets = [secret].flat()
  if (secrets.length === 0) throw new TypeError('secret is empty: pass the secret of the webhook endpoint.')
  return Promise.all(secrets.map(keyOf))
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const bytes =
    typeof secret === 'string' && secret.startsWith(prefix) ? bytesOf(secret.slice(prefix.length)) : null
  if (!bytes?.length) throw new TypeError(`secret is not the secret of a webhook endpoint, ${prefix}….`)
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
}

/** Null if the text is not Base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueNamed(headers, name)
  if (typeof value === 'string' && value !== '') return value
  throw new WebhookVerificationError(`The webhook has no header ${name}.`)
}

/** Names of headers are the same in any case (RFC 9110 section 5.1). */
const valueNamed = (headers: Record<string, unknown>, name: string): unknown =>
  headers[name] ?? Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]

function checkTime(timestamp: string, toleranceSeconds: number): void {
  const age = Date.now() / 1000 - Number(timestamp)
  if (!/^\d+$/.test(timestamp)) throw new WebhookVerificationError('The time of the webhook is not a number.')
  if (Math.abs(age) <= toleranceSeconds) return
  const when = age > 0 ? 'old' : 'far in the future'
  throw new WebhookVerificationError(
    `The webhook is too ${when}: ${Math.round(Math.abs(age))} s, of ${toleranceSeconds} s that are allowed.`,
  )
}

/** Whether one of the signatures, `v1,<Base64> v1,<Base64>`, belongs to one of the keys. Compares in constant time. */
async function isSigned(content: string, signatures: string, keys: CryptoKey[]): Promise<boolean> {
  const data = new TextEncoder().encode(content)
  for (const [version, base64 = ''] of signatures.split(' ').map((each) => each.split(',', 2))) {
    const signature = version === 'v1' ? bytesOf(base64) : null
    if (!signature) continue
    for (const key of keys) if (await crypto.subtle.verify('HMAC', key, signature, data)) return true
  }
  return false
}
