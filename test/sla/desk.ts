import type { Agreement, Moment, Situation } from '@backline/server/support/sla/clocks/clocks.ts'
import type { Ticks } from './counter.ts'

/*
 * Events of a conversation as the contract defines them, and the resulting states.
 */

/** An agreement in two forms: for the computation, and as ticks to count. */
export type Promised = { agreement: Agreement; ticks: Ticks }

export type Happening =
  | { type: 'end_user_message' }
  | { type: 'operator_reply'; setStatus: 'open' | 'pending' | 'resolved' | null }
  | { type: 'hold'; pauses: boolean; resumesOnReply: boolean }
  | { type: 'resume' | 'resolve' | 'reopen' | 'close' | 'merge' }
  | { type: 'choose'; promised: Promised | null }

export type HappeningType = Happening['type']

export class Desk {
  status: Situation['status'] = 'open'
  paused = false
  answered = false
  unansweredSince: number | null = null
  promised: Promised | null
  #resumesOnReply = false

  constructor(promised: Promised | null) {
    this.promised = promised
  }

  get isOver(): boolean {
    return ['resolved', 'closed', 'merged'].includes(this.status)
  }

  allows(type: HappeningType): boolean {
    if (type === 'choose') return true
    if (this.status === 'closed' || this.status === 'merged') return false
    if (type === 'resume') return this.status === 'on_hold'
    if (type === 'reopen') return this.status === 'resolved'
    return this.status !== 'resolved' || (type !== 'hold' && type !== 'resolve')
  }

  happen(what: Happening, at: number): void {
    if (what.type === 'choose') this.promised = what.promised
    else if (what.type === 'end_user_message') this.#asked(at)
    else if (what.type === 'operator_reply') this.#replied(what.setStatus)
    else if (what.type === 'hold') this.#held(what)
    else this.#become(after[what.type])
  }

  momentAt(at: number): Moment {
    const { status, paused, answered, unansweredSince: unanswered_since } = this
    return { at, status, paused, answered, unanswered_since, agreement: this.promised?.agreement ?? null }
  }

  #asked(at: number): void {
    this.unansweredSince ??= at
    if (this.status !== 'on_hold' || this.#resumesOnReply) this.#become('open')
  }

  #replied(setStatus: Situation['status'] | null): void {
    this.answered = true
    this.unansweredSince = null
    if (setStatus) this.#become(setStatus)
    else if (this.status === 'open') this.#become('pending')
  }

  #held({ pauses, resumesOnReply }: Happening & { type: 'hold' }): void {
    this.#become('on_hold')
    this.paused = pauses
    this.#resumesOnReply = resumesOnReply
  }

  #become(status: Situation['status']): void {
    this.status = status
    this.paused = false
  }
}

const after = {
  resume: 'open',
  resolve: 'resolved',
  reopen: 'open',
  close: 'closed',
  merge: 'merged',
} as const
