import type { Reply, SmtpFailure, Stage } from './replies.ts'

/**
 * The result of a mail for one recipient. `accepted`: the relay answered 250 after the end of the data. `deferred`: a
 * further attempt may succeed. `refused`: for good. `unknown`: the connection ended after the end of the data was
 * sent and before the answer, so that the relay may have accepted the mail.
 */
export type RecipientOutcome = {
  address: string
  status: 'accepted' | 'deferred' | 'refused' | 'unknown'
  /** A refusal without a reply: the relay lacks SMTPUTF8, takes no mail of this size, or the address is invalid. */
  reason: 'smtputf8' | 'size' | 'address' | null
  /** The step that failed; null if none did. */
  stage: Stage | null
  code: number | null
  /** The enhanced status code (RFC 3463). */
  enhanced: string | null
  /** The reply, or what happened instead of one: one line of at most 500 characters. */
  response: string
}

/** One entry for each recipient, in their order. */
export type Outcome = {
  recipients: RecipientOutcome[]
  /** The error of the content, which could not be read. Nobody has received the mail. */
  contentError: unknown
}

export function resultOf(
  address: string,
  status: RecipientOutcome['status'],
  stage: Stage | null,
  { code, enhanced, text }: Reply,
  reason: RecipientOutcome['reason'] = null,
): RecipientOutcome {
  return { address, status, reason, stage, code, enhanced, response: text }
}

/**
 * The result of a failure before the end of the data. Only 5xx to a command about the mail is for good: a relay that
 * refuses the connection or the password may accept the same mail once somebody has corrected the settings.
 */
export function failedBefore(address: string, { stage, reply }: SmtpFailure): RecipientOutcome {
  const isAboutMail = stage === 'sender' || stage === 'recipient' || stage === 'data'
  return resultOf(address, isAboutMail && isPermanent(reply) ? 'refused' : 'deferred', stage, reply)
}

/** The result of a failure after the end of the data: only a reply says that the relay has not accepted the mail. */
export function failedAfter(address: string, { reply }: SmtpFailure): RecipientOutcome {
  const status = isPermanent(reply) ? 'refused' : isTransient(reply) ? 'deferred' : 'unknown'
  return resultOf(address, status, 'data', reply)
}

const isPermanent = ({ code }: Reply) => code !== null && code >= 500 && code < 600
const isTransient = ({ code }: Reply) => code !== null && code >= 400 && code < 500
