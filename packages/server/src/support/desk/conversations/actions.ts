import { ApiError, invalidBody } from '../../../platform/kernel/errors.ts'
import { mergeMetadata } from '../../../platform/kernel/merge-patch.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { categories } from '../../catalogue/categories/entity.ts'
import type { Category } from '../../catalogue/categories/queries.ts'
import { mailboxes } from '../../catalogue/mailboxes/entity.ts'
import { tagsNamed } from '../../catalogue/tags/actions.ts'
import type { KnownEndUser } from '../../people/end-users/naming.ts'
import { newValues, patchedValues } from '../../properties/custom-fields/values/values.ts'
import { departments } from '../../team/departments/entity.ts'
import { actingOperator } from '../../team/operators/actions.ts'
import { operators } from '../../team/operators/entity.ts'
import { addMessage, draftMessage, received, withMail, writeMessage } from '../messages/actions.ts'
import { attachmentsOf, checkAttachments } from '../messages/attachments/attach.ts'
import { textOf } from '../messages/html.ts'
import { countUnread } from '../messages/queries.ts'
import { actOn } from './act-on.ts'
import { assignedByHand, inDepartment, unassigned } from './assign.ts'
import { addAssigned, assignmentByReply } from './assigning/reply-assigns.ts'
import { conversations } from './entity.ts'
import { noHold, type Person } from './lifecycle.ts'
import { requireOwnSide } from './own-side.ts'
import { companyOf, endUserOf, isSamePerson, personOf } from './person.ts'
import type { Conversation } from './queries.ts'
import type { ConversationPatch, NewConversation, ReadMark } from './request-schema.ts'
import { isRoutable, route } from './routing/routing.ts'
import { saveConversation } from './save.ts'
import { noSla, updateClocks } from './sla/update-clocks.ts'

// Macros use the same functions as the single actions.
export { actOn } from './act-on.ts'
export { assignConversation, requireActingOperator } from './assign.ts'
export { holdConversation } from './hold.ts'
export { changeTags } from './tagging.ts'

export async function createConversation(change: Change, input: NewConversation): Promise<Conversation> {
  if (input.message) {
    requireScopes(change.ctx.principal.allows, 'messages:write')
    requireOwnSide(change.ctx, input.initiated_by_side ?? 'end_user')
  }
  return startConversation(change, input)
}

/**
 * Creates a conversation for somebody who may write its first message.
 * @param references may have faults of the same request, which are reported together
 */
export async function startConversation(
  change: Change,
  input: NewConversation,
  references = new References(change),
): Promise<Conversation> {
  // One after the other: if one failed, the other one could take a lock that nobody releases.
  const endUser = await endUserOf(change, references, input)
  const custom_fields = await newValues(change, references, 'conversation', input.custom_fields)
  const company = await companyOf(change, references, endUser?.id ?? null, input.company_id)
  const followed = await followedUp(change, references, input, endUser)
  const category = await references.to(categories, '/category_id', input.category_id)
  const department = await references.to(departments, '/department_id', input.department_id)
  const mailbox = await references.to(mailboxes, '/mailbox_id', input.mailbox_id)
  const assignee = await references.to(operators, '/assignee_id', input.assignee_id)
  const tags = await tagsNamed(change, input.tags ?? [], '/tags', [], references)
  const attached = await checkAttachments(
    change,
    references,
    null,
    input.message?.attachments,
    '/message/attachments',
  )
  references.check()
  const conversation: Conversation = {
    ...newConversation(change),
    end_user: endUser! && personOf(endUser),
    participants: [],
    custom_fields,
    company_id: company,
    subject: input.subject ?? null,
    initiated_by_side: input.initiated_by_side ?? 'end_user',
    channel: input.channel ?? 'api',
    priority: input.priority ?? category?.default_priority ?? 'normal',
    language: input.language ?? null,
    external_id: input.external_id ?? null,
    metadata: input.metadata ?? {},
    follow_up_of_id: followed?.id ?? null,
    department_id: department?.id ?? (await defaultDepartment(change, category, input)),
    category_id: category?.id ?? null,
    mailbox_id: mailbox?.id ?? null,
    tags,
    ...(assignee ? { status: 'open', ...assignedByHand(change, assignee) } : {}),
  }
  const byOperator = conversation.initiated_by_side === 'operator'
  const begunBy = byOperator ? change.ctx.principal.viewerId : null
  if (!input.message) return beginConversation(change, conversation, begunBy)
  const byEndUser = conversation.initiated_by_side === 'end_user'
  const author_side = conversation.initiated_by_side
  const message = draftMessage(change, conversation, {
    ...input.message,
    ...(await textOf(change.ctx, {
      ...input.message,
      body: input.message.body ?? '',
      author_side,
      attachments: attachmentsOf(attached),
    })),
    attached,
    author_side,
    author_end_user_id: byEndUser ? conversation.end_user.id : null,
    operator_id: byOperator ? ((await actingOperator(change))?.id ?? null) : null,
    template_id: null,
  })
  const { message: sent } = await withMail(change, conversation, message)
  const begun = await beginConversation(change, { ...conversation, ...received(conversation, sent) }, begunBy)
  writeMessage(change, sent)
  return begun
}

/** The members of a new conversation that do not come from a request. */
export const newConversation = (change: Change) => ({
  ...change.stamp(),
  ...noHold,
  ...unassigned,
  awaits_routing: true,
  status: 'new' as const,
  waiting_on: 'operator' as const,
  waiting_since: change.now,
  unanswered_since: null,
  message_count: 0,
  last_message_at: null,
  last_message_side: null,
  first_response_at: null,
  resolved_at: null,
  closed_at: null,
  reopened_count: 0,
  merged_into_id: null,
  read_by_end_user: 0,
  read_by_operator: 0,
  unread_by_end_user: 0,
  unread_by_operator: 0,
  ...noSla,
})

/**
 * Writes a new conversation, with its clocks and its operator.
 * @param begunBy the operator who begins it; null if nobody known does
 */
export async function beginConversation(
  change: Change,
  conversation: Conversation,
  begunBy: string | null = null,
): Promise<Conversation> {
  const assignment = await assignmentByReply(change, conversation, begunBy, 'Begun')
  const begun = await updateClocks(
    change,
    change.rows.create(conversations, { ...conversation, ...assignment }),
  )
  if (assignment) addAssigned(change, begun)
  return isRoutable(begun) ? route(change, begun) : begun
}

/** A category's default department applies only while it can be selected. */
async function defaultDepartment(
  change: Change,
  category: Category | null,
  { department_id }: NewConversation,
): Promise<string | null> {
  if (department_id !== undefined || !category?.default_department_id) return null
  const department = await change.rows.find(departments, category.default_department_id)
  return department && !department.archived ? department.id : null
}

/** The earlier conversation must have the same end user. */
async function followedUp(
  change: Change,
  references: References,
  input: NewConversation,
  endUser: KnownEndUser | null,
): Promise<Conversation | null> {
  const pointer = '/follow_up_of_id'
  const earlier = await references.to(conversations, pointer, input.follow_up_of_id)
  if (earlier && endUser && !isSamePerson(earlier.end_user, personOf(endUser))) {
    const detail = 'must be a conversation of the same end user'
    references.fault({ pointer, code: 'not_allowed', detail })
  }
  if (earlier) change.rows.guard(conversations, earlier) // it must not be deleted meanwhile
  return earlier
}

export async function updateConversation(
  change: Change,
  id: string,
  patch: ConversationPatch,
): Promise<Conversation> {
  return patchConversation(change, await change.rows.load(conversations, id), patch)
}

export async function patchConversation(
  change: Change,
  conversation: Conversation,
  {
    metadata,
    department_id,
    category_id,
    company_id,
    mailbox_id,
    custom_fields,
    ...fields
  }: ConversationPatch,
): Promise<Conversation> {
  const references = new References(change)
  const department = await references.to(
    departments,
    '/department_id',
    department_id,
    conversation.department_id,
  )
  const category = await references.to(categories, '/category_id', category_id, conversation.category_id)
  const company = await companyOf(
    change,
    references,
    conversation.end_user.id,
    company_id,
    conversation.company_id,
  )
  const mailbox = await references.to(mailboxes, '/mailbox_id', mailbox_id, conversation.mailbox_id)
  const values = await patchedValues(
    change,
    references,
    'conversation',
    conversation.custom_fields,
    custom_fields,
  )
  references.check()
  const patch: Partial<Conversation> = {
    ...fields,
    ...(values ? { custom_fields: values } : {}),
    ...(company_id === undefined ? {} : { company_id: company }),
    ...(department_id === undefined ? {} : inDepartment(conversation, department)),
    ...(category_id === undefined ? {} : { category_id: category?.id ?? null }),
    ...(mailbox_id === undefined ? {} : { mailbox_id: mailbox?.id ?? null }),
  }
  const differs = Object.entries(patch).some(
    ([name, value]) => conversation[name as keyof Conversation] !== value,
  )
  if (conversation.status === 'closed' && differs) throw new ApiError('conversation_closed')
  const updated = await saveConversation(
    change,
    conversation,
    { ...patch, metadata: mergeMetadata(conversation.metadata, metadata) },
    'conversation.updated',
  )
  return updated
}

/** `note` becomes an internal note. */
export async function resolveConversation(
  change: Change,
  conversation: Conversation,
  note: string | null,
): Promise<Conversation> {
  const resolved = await actOn(change, conversation, 'resolve')
  if (note === null) return resolved
  const { conversation: noted } = await addMessage(change, resolved, {
    author_side: 'operator',
    visibility: 'internal',
    body: note,
  })
  return noted
}

/** Read marks only move forward: a late report changes nothing. */
export async function markRead(
  change: Change,
  id: string,
  { side, up_to_sequence }: ReadMark,
): Promise<Conversation> {
  const conversation = await change.rows.load(conversations, id)
  const upTo = up_to_sequence ?? conversation.message_count
  if (upTo > conversation.message_count) {
    const detail = `must be <= ${conversation.message_count}, the sequence of the last message`
    throw invalidBody({ pointer: '/up_to_sequence', code: 'too_large', detail })
  }
  const read = Math.max(upTo, conversation[`read_by_${side}`])
  const other: Person = side === 'end_user' ? 'operator' : 'end_user'
  const unread =
    read === conversation.message_count
      ? 0
      : await countUnread(change.db, change.tenantId, conversation.id, other, read)
  const marks = { [`read_by_${side}`]: read, [`unread_by_${side}`]: unread } as Partial<Conversation>
  return change.rows.update(conversations, conversation, marks, 'conversation.read')
}
