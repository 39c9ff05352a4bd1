import { type Instant, toInstant, toUnixMs } from '../../../platform/kernel/clock.ts'
import type { Job } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../platform/unit-of-work/context.ts'
import { transact } from '../../../platform/unit-of-work/transact.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { messages } from '../../desk/messages/entity.ts'
import type { Message } from '../../desk/messages/queries.ts'
import { type Erasure, emptyStreams, type Walk } from '../../integration/erasing/streams.ts'
import { deleteOutgoing, deleteOutgoingOfConversation } from '../deliveries/queries.ts'
import { inboundEmails } from './entity.ts'
import {
  deleteContents,
  deleteContentsOfConversation,
  deleteReferences,
  type InboundEmail,
  nextExpired,
  unerasedOf,
} from './queries.ts'
import { dropRaw } from './raw.ts'

/*
 * A mail lives as long as its message. The row of an erased mail stays, with ids, times, its status, and the digest by
 * which the same mail is recognised when it arrives again: otherwise it would make its message once more.
 */

/** The mails that are erased at once. */
const emailsAtOnce = 50

const emptied = {
  sender: null,
  to_addresses: [],
  cc_addresses: [],
  reply_to: [],
  subject: null,
  mail_from: null,
  rcpt_to: [],
  dropped_attachments: [],
  kept: 'none',
} satisfies Partial<InboundEmail>

/**
 * Erases mails: their bytes and texts, and what events, stored responses and receivers' answers have of these. Their
 * messages are erased elsewhere.
 */
export async function eraseEmails(
  change: Change,
  rows: InboundEmail[],
  told: Pick<Erasure, 'by' | 'resource'>,
): Promise<void> {
  for (const row of rows) {
    await removeRaw(change, row)
    change.rows.update(inboundEmails, row, emptied, null)
  }
  const erasure: Erasure = {
    ...told,
    about: async () => (event) => event.resource_type === 'inbound_email',
    isMeant: ({ object }) => object === 'inbound_email',
    isSender: () => false,
  }
  // The response of the request that delivered a large mail is stored with the id of its file.
  let walk: Walk = {
    streams: rows.flatMap(({ id, raw_file_id }) => [id, raw_file_id ?? []].flat()),
    after: null,
  }
  while (walk.streams.length > 0) walk = (await emptyStreams(change, walk, erasure)).walk
}

const removeRaw = async (change: Change, row: InboundEmail): Promise<void> => {
  if (row.kept === 'all') await dropRaw(change, row)
}

/** Removes the bytes of mails; their texts stay. */
export async function removeBytes(change: Change, rows: InboundEmail[]): Promise<void> {
  for (const row of rows) {
    if (row.kept !== 'all') continue
    await dropRaw(change, row)
    change.rows.update(inboundEmails, row, { kept: 'texts' }, null)
  }
}

/** Erases the next mails of a conversation that is deleted. */
export async function eraseEmailsOfConversation(change: Change, id: string): Promise<{ hasMore: boolean }> {
  const rows = await unerasedOf(change.db, change.tenantId, { conversation_id: id }, emailsAtOnce)
  await eraseEmails(change, rows, { by: id })
  return { hasMore: rows.length === emailsAtOnce }
}

/** Erases the next mails of a message that is redacted: the one that it came with, and reports about it. */
async function eraseEmailsOfMessage(change: Change, { id, conversation_id }: Message): Promise<void> {
  const rows = await unerasedOf(change.db, change.tenantId, { message_id: id }, emailsAtOnce)
  if (rows.length > 0) await eraseEmails(change, rows, { by: conversation_id, resource: id })
  if (rows.length === emailsAtOnce) change.jobs.schedule(ofMessage.name, id, change.now)
}

/** Erases mails of a message that stays, because they name a person who is erased. @returns their number */
export async function eraseEmailsNaming(change: Change, messageId: string, by: string): Promise<number> {
  const rows = await unerasedOf(change.db, change.tenantId, { message_id: messageId }, emailsAtOnce)
  if (rows.length > 0) await eraseEmails(change, rows, { by })
  return rows.length
}

/** Erases the mails of a message that the change of its redaction had no room for. */
export const ofMessage: Job = {
  name: 'erase_emails_of_message',
  async perform(change, id) {
    const message = await change.rows.find(messages, id)
    if (message) await eraseEmailsOfMessage(change, message)
  },
}

/** Erases the mails of a conversation that was deleted. */
export const ofConversation: Job = {
  name: 'erase_emails_of_conversation',
  async perform(change, id) {
    const { hasMore } = await eraseEmailsOfConversation(change, id)
    if (hasMore) change.jobs.schedule(ofConversation.name, id, change.now)
  },
}

/** The mail of a message goes with its text, and the bytes of the mail with the files of the message. */
export async function followMessage(
  change: Change,
  before: Message | null,
  after: Message | null,
): Promise<void> {
  if (!before?.email || !after) return
  if (after.email === null) {
    change.effects.writeBatched(deleteContents, after.id)
    if (before.delivery) change.effects.writeBatched(deleteOutgoing, after.id)
    await eraseEmailsOfMessage(change, after)
  } else if (before.file_states !== null && after.file_states === null)
    await removeBytes(
      change,
      await unerasedOf(change.db, change.tenantId, { message_id: after.id }, emailsAtOnce),
    )
}

/** Mails go with their conversation, and nobody answers them any more. */
export function followConversation(
  change: Change,
  before: Conversation | null,
  after: Conversation | null,
): void {
  if (after) return
  const { id } = before!
  change.effects.write(deleteContentsOfConversation(change.tenantId, id))
  change.effects.write(deleteOutgoingOfConversation(change.tenantId, id))
  change.effects.write(deleteReferences(change.tenantId, id))
  change.jobs.schedule(ofConversation.name, id, change.now)
}

/** The bytes of mails that made no message are kept for this time. */
export const keptDays = 90

/** The mails whose bytes one change removes. */
const expiredAtOnce = 100

/** Removes the bytes of at most so many mails that made no message and arrived too long ago. @returns their number */
export async function expireRaw(ctx: Ctx, limit: number): Promise<number> {
  let removed = 0
  while (removed < limit) {
    const count = Math.min(expiredAtOnce, limit - removed)
    const outcome = await transact(ctx, async (change) => {
      const rows = await nextExpired(change.db, change.tenantId, cutoffOf(change.now), count)
      for (const { id } of rows) {
        const row = await change.rows.find(inboundEmails, id)
        if (row) await removeBytes(change, [row])
      }
      return rows.length
    })
    if (outcome.replayed || outcome.result === 0) break
    removed += outcome.result
    if (outcome.result < count) break
  }
  return removed
}

const cutoffOf = (now: Instant): Instant => toInstant(toUnixMs(now) - keptDays * 86_400_000)
