import type { RelaySettings } from './settings.ts'

/** The step of a delivery that failed. */
export const stages = ['resolve', 'connect', 'tls', 'auth', 'sender', 'recipient', 'data'] as const
export type Stage = (typeof stages)[number]

/** A reply of a relay. */
export type Reply = {
  code: number | null
  /** The enhanced status code (RFC 3463), such as `5.1.1`. */
  enhanced: string | null
  /** The reply as one line of at most 500 characters, without control characters and passwords. */
  text: string
}

const maxText = 500

/** Control characters, line and paragraph separators, and characters that change the direction of the text. */
const notPrintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

export type ToReply = (text: string) => Reply

/** Returns a function that reads replies and hides the passwords which a relay may repeat in them. */
export function replyReader({ username, password }: Pick<RelaySettings, 'username' | 'password'>): ToReply {
  const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '')
  const secrets = password ? [base64(`\0${username ?? ''}\0${password}`), base64(password), password] : []
  return (text) => {
    const [, code, enhanced] = /^(\d{3})(?:[ -]+([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(text) ?? []
    const hidden = secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
    return {
      code: code ? Number(code) : null,
      enhanced: enhanced ?? null,
      text: hidden.replace(notPrintable, ' ').trim().slice(0, maxText).toWellFormed(),
    }
  }
}

/** The reason why a mail could not be handed over: a reply, or what happened instead of one. */
export class SmtpFailure extends Error {
  override name = 'SmtpFailure'
  readonly stage: Stage
  readonly reply: Reply

  constructor(stage: Stage, reply: Reply | string) {
    const read = typeof reply === 'string' ? { code: null, enhanced: null, text: reply } : reply
    super(read.text)
    this.stage = stage
    this.reply = read
  }
}

export const interrupted = 'interrupted'

export const timedOut = (ms: number): string => `no answer within ${ms / 1_000} s`
