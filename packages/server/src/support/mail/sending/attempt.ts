import { setTimeout as sleep } from 'node:timers/promises'
import { StoreUnavailable } from '../../../platform/files/store.ts'
import { isAway } from '../../../platform/jobs/due-loop.ts'
import { plusSeconds } from '../../../platform/kernel/clock.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import { suppressed } from '../../catalogue/email-suppressions/queries.ts'
import type { Mailbox } from '../../catalogue/mailboxes/queries.ts'
import { type Delivery, withFailed } from '../../desk/messages/email/delivery.ts'
import { findContents, type MessageEmail } from '../../desk/messages/email/queries.ts'
import { messages } from '../../desk/messages/entity.ts'
import { autoSubmitted, contentIdOf } from '../../desk/messages/outgoing/contents.ts'
import type { OutgoingFile } from '../../desk/messages/outgoing/queries.ts'
import { type Message, messageTable } from '../../desk/messages/queries.ts'
import { bytesOfFile } from '../../files/content.ts'
import { type FileRow, fileTable } from '../../files/queries.ts'
import { type ComposedMail, composeMail, type MailAttachment } from '../smtp/composing.ts'
import type { Outcome } from '../smtp/outcome.ts'
import type { Relays } from '../smtp/relays.ts'
import { heldUntil } from './held.ts'
import { type Attempted, afterAttempt } from './outcome.ts'
import {
  endAttempt,
  endNeedless,
  isTakenBy,
  type Outgoing,
  openHandover,
  postponeOutgoing,
  releaseOutgoing,
} from './queries.ts'
import { settingsOf } from './settings.ts'

/** Files that are being scanned are asked for again after this time, by the environment's clock. */
const scanningSeconds = 2
const outageMs = 5_000
/** An answer that could not be stored is stored after this time; so often once the process stops. */
const recordAgainMs = 1_000
const attemptsAfterStop = 5

export type AttemptDeps = {
  relays: Relays
  /** The pauses between attempts, in seconds. */
  retrySeconds: readonly number[]
  /** Real time after some milliseconds. */
  inMs(ms: number): string
  /** Reports a failure that the attempt outlives. */
  failed(error: unknown): void
}

/** The end of an attempt, for the number of attempts that may run at once. */
export type Ending = 'accepted' | 'unanswered' | 'other'

/**
 * Hands a mail over to the relay of its mailbox, once, and records what becomes of it.
 *
 * The relay takes a mail when it has its last byte. Before that byte is sent, the row says that the hand-over is open:
 * who finds it open later knows that the relay may have the mail, and nobody else hands it over meanwhile. So a crash
 * at any other place leads to no second mail.
 * @param signal aborts the attempt unless the relay may have the mail
 */
export async function attempt(
  ctx: Ctx,
  { relays, retrySeconds, inMs, failed }: AttemptDeps,
  mailbox: Mailbox,
  row: Outgoing,
  by: string,
  signal: AbortSignal,
): Promise<Ending> {
  const { db, env } = ctx
  const id = row.message_id
  const mine = { messageId: id, by }
  const message = await messageTable.find(db, env.tenantId, id)
  const to = queuedOf(message?.delivery)
  if (!message?.email || to.length === 0) {
    await endNeedless(db, env.tenantId, mine, row.due_at)
    return 'other'
  }
  if (row.is_open) {
    await record(ctx, mine, (delivery) =>
      afterAttempt(delivery, unknownFor(to), row, ctx.now(), retrySeconds),
    )
    return 'unanswered'
  }
  const files = await filesOf(ctx, row.files)
  if (files.some(({ file }) => file.status === 'scanning')) {
    await postponeOutgoing(db, env.tenantId, mine, plusSeconds(ctx.now(), scanningSeconds))
    return 'other'
  }
  const refused = new Set(await suppressed(db, env.tenantId, to, ctx.now()))
  if (refused.size > 0) {
    await record(ctx, mine, (delivery) => ({
      delivery: withFailed(delivery, 'suppressed', ctx.now(), refused),
      unanswered: row.unanswered,
    }))
    return 'other'
  }
  let isOpened = false
  const aborting = new AbortController()
  const abort = () => !isOpened && aborting.abort()
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  const mark = async () => {
    isOpened = await openHandover(db, env.tenantId, mine, ctx.now())
    if (!isOpened) throw new Taken()
  }
  try {
    const mail = await composed(ctx, message, files)
    const outcome = await relays.send(
      await settingsOf(mailbox, ctx.services.secretBox),
      {
        from: row.mail_from,
        to,
        needsUtf8: mail.needsUtf8,
        size: mail.size,
        content: async () => heldUntil(mail.stream(), mark),
      },
      aborting.signal,
    )
    if (outcome.contentError) throw outcome.contentError
    if (aborting.signal.aborted) {
      await releaseOutgoing(db, env.tenantId, mine, inMs(0))
      return 'other'
    }
    const after = (delivery: Delivery) => afterAttempt(delivery, outcome, row, ctx.now(), retrySeconds)
    const ending = endingOf(outcome)
    // The answer is known, and nobody else can know it: a failure of the database must not lose it.
    for (let left = attemptsAfterStop; ; ) {
      try {
        await record(ctx, mine, after, ending === 'accepted')
        return ending
      } catch (error) {
        failed(error)
        if (signal.aborted && left-- === 0) throw error
        await sleep(recordAgainMs)
      }
    }
  } catch (error) {
    if (error instanceof Taken) return 'other'
    if (isOpened || isAway(error) || error instanceof StoreUnavailable) {
      // Once it is open, its lease ends, and the next attempt finds out.
      if (!isOpened) await releaseOutgoing(db, env.tenantId, mine, inMs(outageMs))
      throw error
    }
    await record(ctx, mine, (delivery) =>
      afterAttempt(delivery, deferredFor(to), row, ctx.now(), retrySeconds),
    )
    throw error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Another attempt has the mail. */
class Taken extends Error {
  override name = 'Taken'
}

const queuedOf = (delivery: Delivery | null | undefined): string[] =>
  (delivery?.recipients ?? []).flatMap(({ address, status }) => (status === 'queued' ? address : []))

const unknownFor = (to: string[]): Outcome => outcomeFor(to, 'unknown')
const deferredFor = (to: string[]): Outcome => outcomeFor(to, 'deferred')

const outcomeFor = (to: string[], status: 'unknown' | 'deferred'): Outcome => ({
  recipients: to.map((address) => ({
    address,
    status,
    reason: null,
    stage: 'data',
    code: null,
    enhanced: null,
    response: '',
  })),
  contentError: null,
})

function endingOf({ recipients }: Outcome): Ending {
  if (recipients.some(({ status }) => status === 'accepted')) return 'accepted'
  return recipients.some(({ code, reason }) => code === null && reason === null) ? 'unanswered' : 'other'
}

/**
 * Writes what has become of the mail, and when it is tried again.
 * @param isAccepted true if the relay has accepted the mail: no other attempt knows better. Otherwise the attempt that
 * has the mail decides
 */
async function record(
  ctx: Ctx,
  mine: { messageId: string; by: string },
  next: (delivery: Delivery) => Attempted,
  isAccepted = false,
): Promise<void> {
  const { messageId } = mine
  await transact(ctx, async (change) => {
    if (!isAccepted && !(await isTakenBy(change.db, change.tenantId, mine))) return change.discard()
    const message = await change.rows.find(messages, messageId)
    const after = message?.delivery ? next(message.delivery) : null
    if (after)
      change.rows.update(messages, message!, { delivery: after.delivery }, 'message.delivery_changed')
    const isQueued = after && queuedOf(after.delivery).length > 0
    const dueAt = isQueued ? (after.delivery.next_attempt_at ?? change.now) : null
    change.effects.write(
      endAttempt(change.tenantId, { messageId, unanswered: after?.unanswered ?? 0, dueAt }),
    )
  })
}

type Attached = { sent: OutgoingFile; file: FileRow }

/** The files that go with the mail, and still exist. */
async function filesOf({ db, env }: Ctx, sent: OutgoingFile[]): Promise<Attached[]> {
  const own = sent.filter(({ url }) => url === null)
  if (own.length === 0) return []
  const found = await fileTable.findMany(
    db,
    env.tenantId,
    own.map(({ file_id }) => file_id),
  )
  const files = new Map(found.map((file) => [file.id, file]))
  return own.flatMap((each) => {
    const file = files.get(each.file_id)
    return file && (file.status === 'ready' || file.status === 'scanning') ? { sent: each, file } : []
  })
}

async function composed(ctx: Ctx, message: Message, files: Attached[]): Promise<ComposedMail> {
  const email: MessageEmail = message.email!
  const contents = await findContents(ctx.db, ctx.env.tenantId, message.id)
  const [replyTo] = email.reply_to
  return composeMail({
    from: email.from!,
    replyTo: replyTo ?? null,
    to: email.to,
    cc: email.cc,
    subject: email.subject ?? '',
    messageId: email.header_message_id!,
    inReplyTo: email.in_reply_to,
    references: email.references,
    date: new Date(message.created_at),
    automatic: autoSubmitted(email),
    text: contents?.text ?? '',
    html: contents?.html ?? null,
    attachments: files.map((each) => attachmentOf(ctx, each)),
  })
}

const attachmentOf = ({ env, services }: Ctx, { sent, file }: Attached): MailAttachment => ({
  filename: sent.filename,
  contentType: sent.content_type,
  contentId: sent.inline ? contentIdOf(sent.file_id) : null,
  inline: sent.inline,
  size: sent.size_bytes,
  content: () => bytesOfFile(services.files.store, env.tenantId, file),
})
