import { type Instant, plusSeconds } from '../../../platform/kernel/clock.ts'
import { type Delivery, type RecipientDelivery, statusOfAll } from '../../desk/messages/email/delivery.ts'
import type { Outcome, RecipientOutcome } from '../smtp/outcome.ts'
import type { Outgoing } from './queries.ts'

/** A mail whose answer nobody knows is handed over again so often. */
const mostUnanswered = 2

/** The delivery after an attempt, and the number of hand-overs without a known answer. */
export type Attempted = { delivery: Delivery; unanswered: number }

/**
 * The delivery after an attempt: a recipient whom the relay took is never sent to again, one whom it refused has
 * failed, and the others wait for the next attempt, if there is one.
 * @param retrySeconds the pauses after the attempts; after the last one the mail has expired
 */
export function afterAttempt(
  delivery: Delivery,
  { recipients: outcomes }: Outcome,
  { unanswered, attempts_before }: Pick<Outgoing, 'unanswered' | 'attempts_before'>,
  now: Instant,
  retrySeconds: readonly number[],
): Attempted {
  const attempts = delivery.attempts + 1
  const pause = retrySeconds[attempts - 1 - attempts_before]
  const isUnknown = outcomes.some(({ status }) => status === 'unknown')
  const lapses = unanswered + (isUnknown ? 1 : 0)
  const results = new Map(outcomes.map((each) => [each.address, each]))
  const recipients = delivery.recipients.map((each) => {
    const result = each.status === 'queued' ? results.get(each.address) : undefined
    return result ? { ...each, ...stepOf(result, pause !== undefined, lapses), at: now } : each
  })
  const waits = recipients.some(({ status }) => status === 'queued')
  return {
    delivery: {
      status: statusOfAll(recipients),
      recipients,
      attempts,
      next_attempt_at: waits && pause !== undefined ? plusSeconds(now, pause) : null,
    },
    unanswered: lapses,
  }
}

type Step = Pick<RecipientDelivery, 'status' | 'reason' | 'smtp_code'>

function stepOf(
  { status, reason, code, enhanced }: RecipientOutcome,
  mayRetry: boolean,
  lapses: number,
): Step {
  const smtp_code = enhanced ?? code
  if (status === 'accepted') return { status: 'sent', reason: null, smtp_code }
  if (status === 'refused')
    return { status: 'failed', reason: reason === 'smtputf8' ? 'smtputf8' : 'refused', smtp_code }
  if (status === 'unknown' && (lapses > mostUnanswered || !mayRetry))
    return { status: 'failed', reason: 'outcome_unknown', smtp_code: null }
  if (!mayRetry) return { status: 'failed', reason: 'expired', smtp_code }
  return { status: 'queued', reason: 'deferred', smtp_code }
}
