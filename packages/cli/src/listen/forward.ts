import { reasonOf } from '@backline/server/compose/reason.ts'
import { type Instant, systemClock, toInstant } from '@backline/server/platform/kernel/clock.ts'
import {
  type WebhookPayload,
  webhookBody,
} from '@backline/server/support/integration/webhook-endpoints/body.ts'
import { signatureHeaders } from '@backline/server/support/integration/webhook-endpoints/signature.ts'
import { answerTo } from './request.ts'

export type Receiver = { url: string; secret: string; payload: WebhookPayload }

export type Attempt = {
  at: Instant
  /** Null without a response. */
  status: number | null
  /** The reason for a missing or incomplete response. */
  error: string | null
  durationMs: number
}

/** The total timeout of a webhook. */
const usualTimeoutMs = 15_000
const maxAnswerBytes = 64 * 1024

/** Sends an event once in the form of a webhook, to any address. Redirects are not followed. Never rejects. */
export async function forward(
  event: { id: string; json: string },
  { url, secret, payload }: Receiver,
  stop: AbortSignal,
  timeoutMs = usualTimeoutMs,
): Promise<Attempt> {
  const unixMs = systemClock()
  const at = toInstant(unixMs)
  const body = webhookBody(event.json, payload)
  const timestamp = Math.floor(unixMs / 1000)
  const startedAtMs = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = AbortSignal.any([stop, timeout])
  const outcome = { status: null as number | null, error: null as string | null }
  try {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Backline-Webhooks',
      ...signatureHeaders({ id: event.id, timestamp, body, secrets: [secret] }),
    }
    const response = await answerTo(url, { method: 'POST', headers, signal }, body)
    outcome.status = response.statusCode!
    let read = 0
    for await (const chunk of response) {
      read += chunk.length
      if (read > maxAnswerBytes) break
    }
  } catch (error) {
    if (stop.aborted) outcome.error = 'stopped before the response'
    else if (timeout.aborted) outcome.error = `no complete response within ${timeoutMs / 1000} s`
    else outcome.error = reasonOf(error)
  }
  return { at, ...outcome, durationMs: Math.round(performance.now() - startedAtMs) }
}

/** As for webhooks: a redirect is not a success, and the body does not matter. */
export const hasSucceeded = ({ status }: Attempt): boolean => status !== null && status >= 200 && status < 300
