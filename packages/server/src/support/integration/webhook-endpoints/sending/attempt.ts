import { type Instant, plusSeconds } from '../../../../platform/kernel/clock.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import type { SecretBox } from '../../../../platform/kernel/secret-box.ts'
import { webhookBody } from '../body.ts'
import type { Attempt } from '../deliveries/queries.ts'
import { openHeaders } from '../headers.ts'
import { secretsOf } from '../secrets.ts'
import { signatureHeaders } from '../signature.ts'
import type { Answer, OutgoingRequest } from '../transport.ts'
import type { Destination, DueDelivery, Outcome } from './queries.ts'

/** The maximum pause that a receiver can request: the longest pause of the schedule. */
const longestRetryAfterSeconds = 86_400
const mostJitter = 0.1

/**
 * Builds the request of an attempt. Own headers of an endpoint cannot replace ours, except `user-agent`.
 * @param realNowMs the real time, which receivers compare with their own clock; `now` is the environment's
 */
export async function requestOf(
  destination: Destination,
  { event_id }: DueDelivery,
  eventJson: string,
  realNowMs: number,
  now: Instant,
  box: SecretBox,
): Promise<OutgoingRequest & { body: Buffer }> {
  const { url, payload } = destination
  const body = webhookBody(eventJson, payload)
  const id = typeId('evt', event_id)
  const timestamp = Math.floor(realNowMs / 1000)
  return {
    url,
    body: Buffer.from(body),
    headers: {
      'user-agent': 'Backline-Webhooks',
      ...inLowerCase(await openHeaders(destination, box)),
      'content-type': 'application/json',
      ...signatureHeaders({ id, timestamp, body, secrets: await secretsOf(destination, now, box) }),
    },
  }
}

const inLowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Only 2xx is a success (Standard Webhooks 1.0, "Deliverability and reliability"). */
export const isSuccess = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300

export type AttemptFate = 'succeeded' | 'failed' | 'unanswered'

export const fateOf = (answer: Answer): AttemptFate =>
  isSuccess(answer) ? 'succeeded' : answer.status === null ? 'unanswered' : 'failed'

/** 410 Gone disables the endpoint. */
export const isGone = ({ status }: Answer): boolean => status === 410

/**
 * Returns the next state of a delivery after an attempt.
 * @param begunAt the start of the attempt by the environment's clock; `now` is its end
 * @param retrySeconds the pauses of the schedule; jitter only extends them
 */
export function outcomeOf(
  delivery: DueDelivery,
  answer: Answer,
  begunAt: Instant,
  now: Instant,
  retrySeconds: readonly number[],
  realNowMs: number,
): Outcome {
  const { status, body, error, durationMs } = answer
  const attempt: Attempt = {
    at: begunAt,
    response_status: status,
    response_body: body,
    error,
    duration_ms: durationMs,
  }
  const common = {
    deliveryId: delivery.id,
    was: { tries: delivery.tries, nextAttemptAt: delivery.next_attempt_at },
    tries: delivery.tries + 1,
    at: now,
    attempt: JSON.stringify(attempt),
    erasedAttempt: JSON.stringify({ ...attempt, response_body: body === null ? null : '' }),
  }
  if (isSuccess(answer)) return { ...common, status: 'succeeded', nextAttemptAt: null }
  const pause = retrySeconds[delivery.tries]
  if (pause === undefined || isGone(answer)) return { ...common, status: 'failed', nextAttemptAt: null }
  const jittered = pause * (1 + Math.random() * mostJitter)
  const seconds = Math.max(jittered, secondsOf(answer.retryAfter, realNowMs))
  return { ...common, status: 'pending', nextAttemptAt: plusSeconds(now, seconds) }
}

/** Parses `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date in real time. */
function secondsOf(retryAfter: string | null, realNowMs: number): number {
  if (retryAfter === null) return 0
  const text = retryAfter.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - realNowMs) / 1000
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), longestRetryAfterSeconds)
}
