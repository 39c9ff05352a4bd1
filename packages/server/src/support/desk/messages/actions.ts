import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { mergeMetadata } from '../../../platform/kernel/merge-patch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { mailboxes } from '../../catalogue/mailboxes/entity.ts'
import { templatesInUse } from '../../catalogue/message-templates/entity.ts'
import type { MessageTemplate } from '../../catalogue/message-templates/queries.ts'
import { endUsers } from '../../people/end-users/entity.ts'
import { requireAllowed } from '../../people/end-users/identity.ts'
import { actingOperator, requireOwnName } from '../../team/operators/actions.ts'
import { operators } from '../../team/operators/entity.ts'
import type { Operator } from '../../team/operators/queries.ts'
import { addAssigned, assignmentByReply } from '../conversations/assigning/reply-assigns.ts'
import { conversations } from '../conversations/entity.ts'
import { afterMessage, eventOfMove, moved, type Status } from '../conversations/lifecycle.ts'
import { requireUnblocked } from '../conversations/person.ts'
import { type Conversation, type Participant, participantIds } from '../conversations/queries.ts'
import { saveConversation } from '../conversations/save.ts'
import { type Attached, attach, attachmentsOf, checkAttachments } from './attachments/attach.ts'
import { faultsInSendAt } from './contradictions.ts'
import type { NewEmail } from './email/new-email.ts'
import { messages } from './entity.ts'
import { type MessageText, textOf } from './html.ts'
import { mentioned, remention } from './mentions.ts'
import { goesByMail, mailed } from './outgoing/outgoing.ts'
import { insertRevisions, type Message } from './queries.ts'
import { renderTemplate } from './rendering.ts'
import { claimExternalIds } from './scheduled/queries.ts'
import type { MessagePatch, NewMessage, WrittenMessage } from './schema.ts'

/**
 * Adds a message to a conversation with its effects: counters, status, read marks.
 * @param keptTemplateId a template chosen earlier, which may be archived
 */
export async function addMessage(
  change: Change,
  conversation: Conversation,
  input: NewMessage,
  keptTemplateId: string | null = null,
): Promise<{ conversation: Conversation; message: Message }> {
  const checked = await checkMessage(change, conversation, input, keptTemplateId)
  requireOpenFor(conversation, input)
  const message = draftMessage(change, conversation, checked)
  claimExternalId(change, message)
  return deliverMessage(change, conversation, message, input.set_status, input.email)
}

/** A valid new message with its text. Ids are UUIDs. */
export type CheckedMessage = Omit<WrittenMessage, Resolved | 'attachments' | 'attached'> &
  Pick<Message, Resolved> & { attached: Attached[] }
type Resolved =
  | 'operator_id'
  | 'author_end_user_id'
  | 'template_id'
  | 'in_reply_to_id'
  | 'mentions'
  | keyof MessageText

/**
 * @param begins true if the message begins a new conversation, which follows this one up
 * @throws ApiError `validation_failed`, and errors of the template
 */
export async function checkMessage(
  change: Change,
  conversation: Conversation,
  { attachments = [], attached: given, ...input }: WrittenMessage,
  keptTemplateId: string | null = null,
  begins = false,
): Promise<CheckedMessage> {
  const references = new References(change)
  for (const fault of faultsInSendAt(input.send_at, change.now)) references.fault(fault)
  const operator = await operatorOf(change, references, input)
  const author = await endUserOf(references, conversation, input)
  // A text that was written from a template can be sent after the template was archived.
  const kept =
    input.body === undefined || input.template_id == null ? keptTemplateId : uuidOf('tmpl', input.template_id)
  const template = await references.to(templatesInUse, '/template_id', input.template_id, kept)
  await requireSameConversation(change, references, conversation, input.in_reply_to_id)
  const mentions = await mentioned(references, input.mentions ?? [])
  if (input.email && !(await hasMailbox(change, conversation)))
    references.fault({
      pointer: '/email',
      code: 'not_allowed',
      detail: 'needs a conversation with a mailbox that is not archived',
    })
  const filesOf = begins ? null : conversation.id
  const attached = given ?? (await checkAttachments(change, references, filesOf, attachments))
  references.check()
  const written =
    template && input.body === undefined
      ? await renditionOf(change, conversation, template, operator, input.variables)
      : { body: input.body ?? '', body_format: input.body_format }
  const { author_side } = input
  return {
    ...input,
    ...(await textOf(change.ctx, { author_side, ...written, attachments: attachmentsOf(attached) })),
    author_end_user_id: author,
    operator_id: operator?.id ?? null,
    template_id: template?.id ?? null,
    in_reply_to_id: input.in_reply_to_id == null ? null : uuidOf('msg', input.in_reply_to_id),
    mentions,
    attached,
  }
}

async function hasMailbox(change: Change, { mailbox_id }: Conversation): Promise<boolean> {
  const mailbox = mailbox_id === null ? null : await change.rows.find(mailboxes, mailbox_id)
  return mailbox !== null && !mailbox.archived
}

/** @throws ApiError `conversation_closed`; notes can be added to closed conversations */
export function requireOpenFor({ status }: Conversation, { visibility }: NewMessage): void {
  if (status === 'closed' && visibility !== 'internal') throw new ApiError('conversation_closed')
}

/** External ids are unique among scheduled messages and those that were sent. */
export function claimExternalId(change: Change, { id, external_id }: Message): void {
  if (external_id !== null) change.effects.writeBatched(claimExternalIds, { external_id, message_id: id })
}

/** Writes a message, and its effects on its conversation. */
export async function deliverMessage(
  change: Change,
  conversation: Conversation,
  given: Message,
  setStatus?: Status | null,
  email?: NewEmail | null,
): Promise<{ conversation: Conversation; message: Message }> {
  const { message, joined } = await withMail(change, conversation, given, email)
  const patch = { ...received(conversation, message, setStatus ?? undefined), ...joined }
  const to = patch.status ?? conversation.status
  const event =
    to !== conversation.status
      ? eventOfMove(conversation.status, to)
      : joined.participants
        ? 'conversation.updated'
        : null
  const assignment = await assignmentByReply(
    change,
    { ...conversation, ...patch },
    replierOf(message),
    'Answered',
  )
  const answered = await saveConversation(change, conversation, { ...patch, ...assignment }, event)
  if (assignment) addAssigned(change, answered)
  return { conversation: answered, message: writeMessage(change, message) }
}

/** The operator whose public message this is; null for other messages, and if none is known. */
export const replierOf = ({ author_side, visibility, operator_id }: Message): string | null =>
  author_side === 'operator' && visibility === 'public' ? operator_id : null

/**
 * A new message with the mail that it is sent as, if its conversation has a mailbox, and the participants if they
 * change.
 */
export async function withMail(
  change: Change,
  conversation: Conversation,
  message: Message,
  given?: NewEmail | null,
): Promise<{ message: Message; joined: { participants?: Participant[] } }> {
  if (!goesByMail(conversation, message)) return { message, joined: {} }
  const { message: sent, participants } = await mailed(change, conversation, message, given ?? {})
  return { message: sent, joined: given?.to || given?.cc ? { participants } : {} }
}

/** The operator who writes: the one in the body, otherwise the acting operator. */
async function operatorOf(
  change: Change,
  references: References,
  { author_side, operator_id }: NewMessage,
): Promise<Operator | null> {
  if (author_side !== 'operator') return null
  if (operator_id == null) return actingOperator(change)
  requireOwnName(change, references, '/operator_id', operator_id)
  return references.to(operators, '/operator_id', operator_id)
}

/**
 * The end user who writes: that of the conversation, or a participant; null for other sides.
 * @throws ApiError `end_user_blocked`
 */
async function endUserOf(
  references: References,
  conversation: Conversation,
  { author_side, author_end_user_id, mail }: WrittenMessage,
): Promise<string | null> {
  const pointer = '/author_end_user_id'
  if (author_side !== 'end_user') {
    if (author_end_user_id != null)
      references.fault({
        pointer,
        code: 'not_allowed',
        detail: 'is allowed only for messages of the end user side',
      })
    return null
  }
  const id = author_end_user_id == null ? null : uuidOf('eu', author_end_user_id)
  if (id === null || id === conversation.end_user.id) {
    requireUnblocked(conversation)
    return conversation.end_user.id
  }
  const author = await references.to(endUsers, pointer, author_end_user_id)
  // A conversation may have no room for the sender of a mail.
  if (author && (mail || participantIds(conversation).includes(author.id))) requireAllowed('speak', author)
  else if (author)
    references.fault({ pointer, code: 'not_allowed', detail: 'must be the end user or a participant' })
  return id
}

/** The text of a template for this conversation. */
async function renditionOf(
  change: Change,
  conversation: Conversation,
  template: MessageTemplate,
  operator: Operator | null,
  variables: Record<string, unknown> = {},
): Promise<Pick<Message, 'body' | 'body_format'>> {
  const pointer = '/template_id'
  const { body, body_format } = await renderTemplate(change, template, {
    conversation,
    operator,
    variables,
    pointer,
  })
  if (body === '')
    throw invalidBody({ pointer, code: 'too_short', detail: 'must not render to an empty message' })
  return { body, body_format }
}

async function requireSameConversation(
  change: Change,
  references: References,
  conversation: Conversation,
  messageId: string | null | undefined,
): Promise<void> {
  if (messageId == null) return
  const message = await change.rows.find(messages, uuidOf('msg', messageId)!)
  if (message?.conversation_id !== conversation.id) {
    references.fault({
      pointer: '/in_reply_to_id',
      code: 'not_found',
      detail: 'must be the id of a message in this conversation',
    })
  }
}

type Draft = Omit<CheckedMessage, Omissible> & Partial<Pick<CheckedMessage, Omissible>>
type Omissible = 'in_reply_to_id' | 'author_end_user_id' | 'mentions' | 'attached'

/** The next message of a conversation, not yet written. It uses its files. */
export function draftMessage(change: Change, conversation: Conversation, input: Draft): Message {
  const place = { ...change.stamp(), conversation_id: conversation.id }
  return {
    ...place,
    ...attach(change, place, input.attached ?? []),
    sequence: conversation.message_count + 1,
    author_side: input.author_side,
    operator_id: input.operator_id,
    author_end_user_id: input.author_end_user_id ?? null,
    body: input.body,
    body_format: input.body_format,
    body_html: input.body_html,
    visibility: input.visibility ?? 'public',
    template_id: input.template_id,
    in_reply_to_id: input.in_reply_to_id ?? null,
    mentions: input.mentions ?? null,
    email: input.mail ?? null,
    delivery: null,
    external_id: input.external_id ?? null,
    metadata: input.metadata ?? {},
    edited_at: null,
    redacted_at: null,
  }
}

export function writeMessage(change: Change, message: Message): Message {
  return change.rows.create(messages, message)
}

/** The changes of a conversation by a message: its number always, the rest if it is public. */
export function received(
  conversation: Conversation,
  message: Message,
  setStatus?: Status,
): Partial<Conversation> {
  const { author_side: author, created_at: now } = message
  const counted = { message_count: message.sequence }
  if (message.visibility === 'internal') return counted
  const from = conversation.status
  const stays = author === 'end_user' && from === 'on_hold' && !conversation.resumes_on_reply
  const to = setStatus ?? (stays ? from : (afterMessage[author][from] ?? from))
  const answers = author === 'operator' && conversation.initiated_by_side !== 'operator'
  const move = to === from ? {} : moved(conversation, to, now)
  const { unanswered_since: unanswered } = { ...conversation, ...move }
  return {
    ...counted,
    last_message_at: now,
    last_message_side: author,
    ...move,
    unanswered_since: author === 'operator' ? null : author === 'end_user' ? (unanswered ?? now) : unanswered,
    first_response_at: conversation.first_response_at ?? (answers ? now : null),
    unread_by_end_user: conversation.unread_by_end_user + (author === 'operator' ? 1 : 0),
    unread_by_operator: conversation.unread_by_operator + (author === 'end_user' ? 1 : 0),
  }
}

/** Edits a message that was sent. */
export async function editMessage(change: Change, message: Message, patch: MessagePatch): Promise<Message> {
  const conversation = await conversationOf(change, message)
  const rewritten = patch.body !== undefined && patch.body !== message.body
  if (message.redacted_at && (rewritten || patch.mentions !== undefined))
    throw new ApiError('invalid_transition', { from: 'redacted', action: 'update', allowed: [] })
  if (rewritten) {
    refuseUneditable(message, conversation)
    requireContent(message, patch.body!)
    change.effects.writeBatched(insertRevisions, {
      message_id: message.id,
      version: message.version,
      body: message.body,
      written_at: message.edited_at ?? message.created_at,
      replaced_at: change.now,
    })
  }
  return change.rows.update(messages, message, {
    ...(await remention(change, message, patch)),
    ...(rewritten
      ? { ...(await textOf(change.ctx, { ...message, body: patch.body! })), edited_at: change.now }
      : {}),
    metadata: mergeMetadata(message.metadata, patch.metadata),
  })
}

/** Guards the conversation: it must stay open, and its events must keep the order of their commits. */
export async function conversationOf(
  change: Change,
  message: Pick<Message, 'id' | 'conversation_id'>,
): Promise<Conversation> {
  const conversation = await change.rows.find(conversations, message.conversation_id)
  if (!conversation) throw new ApiError('not_found') // it was deleted meanwhile
  change.rows.guard(conversations, conversation)
  return conversation
}

/** @throws ApiError `validation_failed` for an empty text without files */
export function requireContent({ attachments }: Pick<Message, 'attachments'>, body: string): void {
  if (body !== '' || attachments !== null) return
  const detail = 'must not be empty unless files are attached'
  throw invalidBody({ pointer: '/body', code: 'too_short', detail })
}

function refuseUneditable(message: Message, conversation: Conversation): void {
  if (message.visibility === 'public' && conversation.status === 'closed')
    throw new ApiError('conversation_closed')
}
