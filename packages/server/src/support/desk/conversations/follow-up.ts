import type { Change } from '../../../platform/unit-of-work/change.ts'
import { categories } from '../../catalogue/categories/entity.ts'
import { mailboxes } from '../../catalogue/mailboxes/entity.ts'
import { requireForResolving } from '../../properties/custom-fields/values/values.ts'
import { departments } from '../../team/departments/entity.ts'
import {
  checkMessage,
  claimExternalId,
  draftMessage,
  received,
  replierOf,
  withMail,
  writeMessage,
} from '../messages/actions.ts'
import type { Message } from '../messages/queries.ts'
import type { WrittenMessage } from '../messages/schema.ts'
import { beginConversation, newConversation } from './actions.ts'
import { conversations } from './entity.ts'
import { requireUnblocked } from './person.ts'
import type { Conversation } from './queries.ts'

/**
 * Starts a conversation that follows up a closed one, with its first message. It has the end user, company,
 * participants, subject, channel and language of the closed one, and its department, category and mailbox unless these
 * are archived. Priority, tags, assignee, custom fields and metadata are those of a
 * new conversation; custom fields that new conversations require are not required of it.
 */
export async function followUpWith(
  change: Change,
  closed: Conversation,
  input: WrittenMessage,
): Promise<{ conversation: Conversation; message: Message }> {
  if (input.author_side === 'end_user') requireUnblocked(closed)
  change.rows.guard(conversations, closed) // it must not be deleted meanwhile
  // A message of the closed conversation is none of the new one.
  const checked = await checkMessage(change, closed, { ...input, in_reply_to_id: null }, null, true)
  const category = closed.category_id && (await change.rows.find(categories, closed.category_id))
  const department = closed.department_id && (await change.rows.find(departments, closed.department_id))
  const mailbox = closed.mailbox_id && (await change.rows.find(mailboxes, closed.mailbox_id))
  const usable = <Row extends { archived: boolean }>(row: Row | '' | null) =>
    row && !row.archived ? row : null
  const conversation: Conversation = {
    ...newConversation(change),
    end_user: closed.end_user,
    participants: closed.participants,
    company_id: closed.company_id,
    subject: closed.subject,
    initiated_by_side: input.author_side,
    channel: closed.channel,
    priority: usable(category)?.default_priority ?? 'normal',
    language: closed.language,
    external_id: null,
    metadata: {},
    follow_up_of_id: closed.id,
    department_id: usable(department)?.id ?? null,
    category_id: usable(category)?.id ?? null,
    mailbox_id: usable(mailbox)?.id ?? null,
    tags: [],
    custom_fields: [],
  }
  if (input.set_status === 'resolved') await requireForResolving(change, conversation.custom_fields)
  const drafted = draftMessage(change, conversation, checked)
  const { message, joined } = await withMail(change, conversation, drafted, input.email)
  const begun = await beginConversation(
    change,
    { ...conversation, ...joined, ...received(conversation, message, input.set_status) },
    replierOf(message),
  )
  claimExternalId(change, message)
  return { conversation: begun, message: writeMessage(change, message) }
}
