import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Entity, ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { findWorkspace } from '../../admin/workspace/queries.ts'
import { categories } from '../../catalogue/categories/entity.ts'
import { actOn, markRead, startConversation } from '../../desk/conversations/actions.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { messages } from '../../desk/messages/entity.ts'
import { departments } from '../../team/departments/entity.ts'
import { loadMine, requireUnblocked, requireUnbound } from '../access.ts'
import { viewerOf } from '../people/queries.ts'
import {
  conversationFor,
  type MeConversation,
  meStatusOf,
  readConversations,
} from '../shapes/conversation.ts'
import type { MeReadMark, NewMeConversation } from './schema.ts'

/** @throws ApiError `scope_missing` for a bound session, `end_user_blocked` */
export async function startMine(change: Change, input: NewMeConversation): Promise<MeConversation> {
  requireUnbound(change.ctx)
  requireUnblocked(change.ctx)
  const viewer = await viewerOf(change.ctx)
  const references = new References(change)
  const { subject = null, message, department_id, category_id, custom_fields } = input
  const { body = '', body_format = 'text', attachments = [] } = message
  const department = await publicId(change, references, departments, '/department_id', department_id)
  const category = await publicId(change, references, categories, '/category_id', category_id)
  const conversation = await startConversation(
    change,
    {
      end_user_id: typeId('eu', viewer.id),
      channel: 'chat',
      subject,
      message: { body, body_format, attachments },
      ...(department === null ? {} : { department_id: department }),
      ...(category === null ? {} : { category_id: category }),
      ...(custom_fields === undefined ? {} : { custom_fields }),
    },
    references,
  )
  return shownTo(change, viewer.id, conversation)
}

type Publishable = ResourceRow & { archived: boolean; public: boolean }

/**
 * The id, or null if there is none that can be used: an object that is not public is as unknown to end users as one
 * that does not exist.
 */
async function publicId<Row extends Publishable>(
  change: Change,
  references: References,
  entity: Entity<Row>,
  pointer: string,
  id: string | null | undefined,
): Promise<string | null> {
  if (id == null) return null
  const row = await change.rows.find(entity, uuidOf(entity.prefix, id)!)
  if (row?.public && !row.archived) return id
  references.fault({ pointer, code: 'not_found', detail: `must be the id of a public ${entity.type}` })
  return null
}

/** Only the end user of the conversation has a read mark; that of participants would be the same. */
export async function markMineRead(change: Change, id: string, { up_to_sequence }: MeReadMark) {
  const { conversation, viewer } = await loadMine(change, id)
  if (conversation.end_user.id !== viewer.id) return shownTo(change, viewer.id, conversation)
  const last = conversation.message_count // counts notes, so that a number beyond it must not be refused
  const read = await markRead(change, id, {
    side: 'end_user',
    up_to_sequence: Math.min(up_to_sequence ?? last, last),
  })
  return shownTo(change, viewer.id, read)
}

/**
 * A conversation that lacks values which resolving requires cannot be resolved by the end user, who can neither set
 * them nor know the fields: the response does not name them.
 * @throws ApiError `not_permitted` unless the workspace allows it; `invalid_transition`
 */
export async function resolveMine(change: Change, id: string): Promise<MeConversation> {
  const { conversation, viewer } = await loadMine(change, id)
  const workspace = await findWorkspace(change.db, change.tenantId)
  if (!workspace?.end_users_may_resolve)
    throw new ApiError('not_permitted', { setting: 'end_users_may_resolve' })
  const from = meStatusOf(conversation.status)
  const impossible = () => new ApiError('invalid_transition', { from, action: 'resolve', allowed: [] })
  if (from === 'resolved' || from === 'closed') throw impossible()
  const resolved = await actOn(change, conversation, 'resolve').catch((error) => {
    throw error instanceof ApiError && error.code === 'validation_failed' ? impossible() : error
  })
  return shownTo(change, viewer.id, resolved)
}

/** The response to a change of a conversation. */
async function shownTo(
  change: Change,
  viewerId: string,
  conversation: Conversation,
): Promise<MeConversation> {
  const [read] = await readConversations(change.ctx, [conversation], change.rows.created(messages))
  return conversationFor(read!, (id) => id === viewerId)
}
