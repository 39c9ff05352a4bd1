import type { Change } from '../../../platform/unit-of-work/change.ts'
import { withoutToken } from '../../catalogue/mailboxes/addresses.ts'
import { mailboxesOfAddresses } from '../../catalogue/mailboxes/queries.ts'
import { conversations } from '../../desk/conversations/entity.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import type { Reference } from '../../desk/messages/email/queries.ts'
import { messages } from '../../desk/messages/entity.ts'
import type { Message } from '../../desk/messages/queries.ts'
import { addressesOf, mailboxIdIn } from '../inbound-emails/mailbox-at.ts'
import type { InboundEmail } from '../inbound-emails/queries.ts'
import type { Digest } from './digest.ts'
import { findReferences, isAwaited, openFollowUp } from './queries.ts'

/** The conversation that a mail continues, after merges, and what named it. */
export type Thread = {
  conversation: Conversation
  /** The message that the mail answers, or that it is about. */
  message: Message
  by: NonNullable<InboundEmail['threaded_by']>
  /** True if the message was sent from here, so that only its readers know what names it. */
  isAnswer: boolean
}

/** The mail refers to one that arrived before, and has not been processed yet. */
export class Awaited extends Error {
  override name = 'Awaited'
}

const inTurn = ['token', 'in_reply_to', 'references'] as const

/**
 * Finds the conversation of a mail: by the token in an address, by `In-Reply-To`, then by the last known of
 * `References`. The subject says nothing.
 * @throws Awaited
 */
export async function threadOf(
  change: Change,
  email: InboundEmail,
  digest: Digest,
): Promise<{ thread: Thread | null; hasWrongToken: boolean }> {
  const { db, tenantId } = change
  const tokens = await tokensOf(change, email, digest)
  const candidates = {
    token: tokens.map((token) => `+${token}`),
    in_reply_to: digest.inReplyTo,
    references: digest.references.toReversed(),
  }
  const all = inTurn.flatMap((by) => candidates[by])
  const messageIds = [...candidates.in_reply_to, ...candidates.references]
  if (messageIds.length > 0 && (await isAwaited(db, tenantId, messageIds, email.id))) throw new Awaited()
  const found = all.length === 0 ? [] : await findReferences(db, tenantId, all)
  const known = Map.groupBy(found, ({ reference }) => reference)
  const hasWrongToken = candidates.token.some((token) => !known.has(token))
  for (const by of inTurn)
    for (const reference of candidates[by].flatMap((each) => known.get(each) ?? [])) {
      const thread = await threadAt(change, reference)
      if (thread) return { thread: { ...thread, by }, hasWrongToken }
    }
  return { thread: null, hasWrongToken }
}

/** The message that was sent and came back, by the token in an address of the report or by its Message-ID. */
export async function sentMessageOf(
  change: Change,
  email: InboundEmail,
  digest: Digest,
  originalMessageIds: string[],
): Promise<Thread | null> {
  const tokens = (await tokensOf(change, email, digest)).map((token) => `+${token}`)
  const asked = [...tokens, ...originalMessageIds]
  if (asked.length === 0) return null
  const found = (await findReferences(change.db, change.tenantId, asked)).filter(({ is_sent }) => is_sent)
  for (const name of asked)
    for (const reference of found.filter((each) => each.reference === name)) {
      const message = await change.rows.find(messages, reference.message_id)
      const conversation = message && (await afterMerges(change, message.conversation_id))
      const by = name.startsWith('+') ? ('token' as const) : ('references' as const)
      if (conversation) return { conversation, message, isAnswer: true, by }
    }
  return null
}

/** A message that was deleted names nothing. */
async function threadAt(
  change: Change,
  { message_id, is_sent }: Reference,
): Promise<Omit<Thread, 'by'> | null> {
  const message = await change.rows.find(messages, message_id)
  const conversation = message && (await presentConversation(change, message.conversation_id))
  return conversation ? { conversation, message, isAnswer: is_sent } : null
}

async function afterMerges(change: Change, id: string): Promise<Conversation | null> {
  const conversation = await change.rows.find(conversations, id)
  return conversation?.merged_into_id ? afterMerges(change, conversation.merged_into_id) : conversation
}

/** The conversation that continues one: the target of its merge, or the newest open one that follows it up. */
export async function presentConversation(change: Change, id: string): Promise<Conversation | null> {
  const conversation = await afterMerges(change, id)
  if (conversation?.status !== 'closed') return conversation
  const next = await openFollowUp(change.db, change.tenantId, conversation.id)
  return next === null ? conversation : change.rows.find(conversations, next)
}

/** The tokens in the addresses of mailboxes to which the mail was sent. */
async function tokensOf(
  { db, tenantId }: Change,
  { rcpt_to }: InboundEmail,
  digest: Digest,
): Promise<string[]> {
  const tagged = addressesOf(rcpt_to, digest)
    .map(withoutToken)
    .filter(({ token }) => token)
  if (tagged.length === 0) return []
  const found = await mailboxesOfAddresses(db, tenantId, [...new Set(tagged.map(({ address }) => address))])
  const own = new Set(found.map(({ address }) => address))
  const isOwn = (address: string) => own.has(address) || mailboxIdIn(address) !== null
  return [...new Set(tagged.flatMap(({ address, token }) => (isOwn(address) ? [token!] : [])))]
}
