import { randomUUID } from 'node:crypto'
import type { Leases } from '../../../platform/jobs/leases.ts'
import type { Loops } from '../../../platform/jobs/loops.ts'
import { pauseAfter } from '../../../platform/jobs/polling.ts'
import { type Clock, plusSeconds, toInstant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import { pause } from '../../../platform/kernel/pause.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { type Mailbox, mailboxTable } from '../../catalogue/mailboxes/queries.ts'
import type { Relays } from '../smtp/relays.ts'
import { attempt, type Ending } from './attempt.ts'
import {
  countHandedOver,
  environmentsWithOutgoing,
  extendTaking,
  mailboxesWithOutgoing,
  type Outgoing,
  takeOutgoing,
} from './queries.ts'

export type EmailSenderDeps = {
  db: Db
  clock: Clock
  loops: Loops
  /** A context for changes by the server itself. */
  context(env: Environment): Ctx
  /** The client of relays, once there is a mail for it. */
  relays(): Relays
  leases: Leases
  /** The pauses between the attempts of a mail, in seconds. */
  retrySeconds: readonly number[]
}

export type EmailSender = {
  /** Looks for mails that are due. */
  wake(): void
  /** The number of mails that are being handed over. */
  readonly running: number
  /** Waits for the answers of relays that may have a mail, and hands the others back. */
  stop(): Promise<void>
}

/** The kind of work that the lease covers. */
export const outgoingWork = 'outgoing_emails'

const pollMs = 1_000
/** Mails that end or are written within this time lead to one round. */
const gatherMs = 10
/** After a crash, another process takes a mail over after this time. */
const takenForMs = 15_000
/** Mails that are handed over at once: in this process, of an environment, and of a mailbox whose relay answers. */
const [ofProcess, ofEnvironment, ofMailbox] = [1_000, 250, 10]
const minute = 60

/**
 * Hands over the mails that are due. One process at a time works on an environment, so that the rates of its mailboxes
 * hold. The mails of a mailbox have a window, which grows with each mail that its relay takes and is one mail after no
 * answer: a relay that hangs holds up only its own mailbox.
 */
export function startEmailSender(deps: EmailSenderDeps): EmailSender {
  const { db, clock, loops, leases } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = loops.open('outgoing_emails', signal)
  const running = new Map<string, { tenantId: string; mailboxId: string; done: Promise<void> }>()
  const windows = new Map<string, number>()
  let wakeUp = new AbortController()
  const inMs = (ms: number) => toInstant(clock() + ms)
  const runningOf = (of: 'tenantId' | 'mailboxId', id: string) =>
    [...running.values()].filter((each) => each[of] === id).length

  async function work(env: Environment, mailbox: Mailbox, row: Outgoing, by: string): Promise<void> {
    const home = db.home(env.tenantId)
    const mine = { messageId: row.message_id, by }
    const about = { tenant_id: env.tenantId, message_id: row.message_id }
    const extending = setInterval(() => {
      extendTaking(home, env.tenantId, mine, inMs(takenForMs)).catch((error) => loop.failed(error, about))
    }, takenForMs / 3)
    try {
      const ctx = deps.context(env)
      const ending = await attempt(
        ctx,
        {
          relays: deps.relays(),
          retrySeconds: deps.retrySeconds,
          inMs,
          failed: (error) => loop.failed(error, about),
        },
        mailbox,
        row,
        by,
        signal,
      )
      widen(row.mailbox_id, ending)
      loop.succeeded()
    } catch (error) {
      if (!signal.aborted) loop.failed(error, about)
    } finally {
      clearInterval(extending)
    }
  }

  function widen(mailboxId: string, ending: Ending): void {
    const window = windows.get(mailboxId) ?? 1
    if (ending === 'accepted') windows.set(mailboxId, Math.min(ofMailbox, window + 1))
    if (ending === 'unanswered') windows.delete(mailboxId)
  }

  /** The number of mails of a mailbox that may begin now. */
  async function roomOf(ctx: Ctx, { id, rate_per_minute: rate }: Mailbox): Promise<number> {
    const { tenantId } = ctx.env
    const own = runningOf('mailboxId', id)
    const room = Math.min(
      (windows.get(id) ?? 1) - own,
      ofEnvironment - runningOf('tenantId', tenantId),
      ofProcess - running.size,
    )
    if (room <= 0) return 0
    const since = plusSeconds(ctx.now(), -minute)
    return Math.min(room, rate - own - (await countHandedOver(ctx.db, tenantId, id, since, rate)))
  }

  /** @returns true if there was a mail that may begin */
  async function takeSomeOf(ctx: Ctx, mailbox: Mailbox): Promise<boolean> {
    const { env, db: home } = ctx
    const room = await roomOf(ctx, mailbox)
    if (room <= 0 || !(await leases.hold(env.tenantId))) return false
    const taking = { by: randomUUID(), until: inMs(takenForMs) }
    const at = { now: ctx.now(), realNow: inMs(0) }
    const rows = await takeOutgoing(home, env.tenantId, mailbox.id, taking, at, room)
    for (const row of rows) begin(env, mailbox, row, taking.by)
    return rows.length > 0
  }

  /** Takes as many mails of an environment as there is room for. @returns true if there were any */
  async function takeSome(env: Environment): Promise<boolean> {
    const ctx = deps.context(env)
    const ids = await mailboxesWithOutgoing(ctx.db, env.tenantId, { now: ctx.now(), realNow: inMs(0) })
    let hasTaken = false
    for (const mailbox of await mailboxTable.findMany(ctx.db, env.tenantId, ids)) {
      if (signal.aborted) break
      try {
        if (await takeSomeOf(ctx, mailbox)) hasTaken = true
      } catch (error) {
        // A failure at one mailbox does not affect the others.
        loop.failed(error, { tenant_id: env.tenantId, mailbox_id: mailbox.id })
      }
    }
    return hasTaken
  }

  function begin(env: Environment, mailbox: Mailbox, row: Outgoing, by: string): void {
    const { tenantId } = env
    const done = work(env, mailbox, row, by).finally(() => {
      running.delete(by + row.message_id)
      wakeUp.abort()
    })
    running.set(by + row.message_id, { tenantId, mailboxId: row.mailbox_id, done })
  }

  async function round(): Promise<boolean> {
    let hasTaken = false
    for (const env of await environmentsWithOutgoing(db, clock()))
      try {
        if (await takeSome(env)) hasTaken = true
      } catch (error) {
        // A failure in one environment does not affect the others.
        if (!signal.aborted) loop.failed(error, { tenant_id: env.tenantId })
      }
    return hasTaken
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      wakeUp = new AbortController()
      const begunMs = performance.now()
      const hasTaken = await loop.round(round)
      if (!hasTaken)
        await pause(pauseAfter(performance.now() - begunMs, pollMs), AbortSignal.any([wakeUp.signal, signal]))
      await pause(gatherMs, signal)
    }
  }

  const polling = run()
  return {
    wake: () => wakeUp.abort(),
    get running() {
      return running.size
    },
    async stop() {
      stopping.abort()
      await polling
      await Promise.all([...running.values()].map(({ done }) => done))
      await leases.returnAll()
    },
  }
}
