import { toUnixMs } from '../../../platform/kernel/clock.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import type { HoldReason } from '../../catalogue/hold-reasons/queries.ts'
import type { StoredTag } from '../../catalogue/tags/queries.ts'
import { noHold, type Status, type WaitingOn } from '../../desk/conversations/lifecycle.ts'
import { addedParticipant } from '../../desk/conversations/participants.ts'
import {
  type Conversation,
  type ConversationEndUser,
  participantIds,
} from '../../desk/conversations/queries.ts'
import { noSla } from '../../desk/conversations/sla/update-clocks.ts'
import type { Message } from '../../desk/messages/queries.ts'
import type { CustomValue } from '../../properties/custom-fields/values/queries.ts'
import { type ConversationLine, instantOf } from './conversation-schema.ts'

/** The objects that the line of a conversation refers to. */
export type ConversationReferences = {
  endUser: ConversationEndUser
  participants: string[]
  companyId: string | null
  departmentId: string | null
  categoryId: string | null
  assigneeId: string | null
  tags: StoredTag[]
  customFields: CustomValue[]
  holdReason: HoldReason | null
  /** Null if an object of another source has the external id. */
  externalId: string | null
}

/** The columns that say who is to act, by the status. */
const waitingOnIn: Record<Exclude<Status, 'on_hold'>, WaitingOn | null> = {
  new: 'operator',
  open: 'operator',
  pending: 'end_user',
  resolved: null,
  closed: null,
}

/**
 * A conversation as it was in the source, without messages. Routing leaves it alone until it comes to another
 * department, and it has no clocks.
 */
export function newRow(line: ConversationLine, references: ConversationReferences): Conversation {
  const created_at = instantOf(line.created_at)!
  const status = statusOf(line, references)
  return {
    id: newUuid(toUnixMs(created_at)),
    version: 1,
    created_at,
    end_user: references.endUser,
    participants: references.participants.map((id) => addedParticipant(created_at, id)),
    company_id: references.companyId,
    mailbox_id: null,
    custom_fields: references.customFields,
    subject: line.subject ?? null,
    initiated_by_side: line.initiated_by_side ?? 'end_user',
    channel: line.channel ?? 'api',
    priority: line.priority ?? 'normal',
    language: line.language ?? null,
    external_id: references.externalId,
    metadata: line.metadata ?? {},
    follow_up_of_id: null,
    merged_into_id: null,
    department_id: references.departmentId,
    category_id: references.categoryId,
    tags: references.tags,
    assignee_id: references.assigneeId,
    ...(references.assigneeId === null
      ? { assignment_strategy: null, assignment_reason: null, assigned_at: null }
      : { assignment_strategy: 'manual', assignment_reason: 'Imported', assigned_at: created_at }),
    awaits_routing: false,
    unanswered_since: null,
    message_count: 0,
    last_message_at: null,
    last_message_side: null,
    first_response_at: instantOf(line.first_response_at),
    reopened_count: 0,
    read_by_end_user: 0,
    read_by_operator: 0,
    unread_by_end_user: 0,
    unread_by_operator: 0,
    ...noSla,
    ...stateOf(line, status, references.holdReason),
  }
}

/** A new conversation is open as soon as it has an operator. */
const statusOf = ({ status = 'open' }: ConversationLine, { assigneeId }: ConversationReferences): Status =>
  status === 'new' && assigneeId !== null ? 'open' : status

type State = Pick<
  Conversation,
  | 'status'
  | 'waiting_on'
  | 'waiting_since'
  | 'resolved_at'
  | 'closed_at'
  | 'updated_at'
  | 'hold_reason_id'
  | 'hold_note'
  | 'hold_since'
  | 'hold_until'
  | 'resumes_on_reply'
  | 'hold_pauses_sla'
>

/** The columns of a status. A hold of the past has no end: its end would be work that falls due. */
export function stateOf(line: ConversationLine, status: Status, reason: HoldReason | null): State {
  const created_at = instantOf(line.created_at)!
  const [resolved, closed] = [instantOf(line.resolved_at), instantOf(line.closed_at)]
  const updated_at = instantOf(line.updated_at) ?? latest(created_at, resolved, closed)
  const isOver = status === 'resolved' || status === 'closed'
  const since = status === 'on_hold' ? (instantOf(line.hold?.since) ?? updated_at) : created_at
  const waiting_on = status === 'on_hold' ? reason!.waiting_on : waitingOnIn[status]
  return {
    status,
    updated_at,
    waiting_on,
    waiting_since: waiting_on === null ? null : since,
    resolved_at: isOver ? (resolved ?? (status === 'resolved' ? updated_at : null)) : null,
    closed_at: status === 'closed' ? (closed ?? updated_at) : null,
    ...noHold,
    ...(status === 'on_hold'
      ? {
          hold_reason_id: reason!.id,
          hold_note: line.hold?.note ?? null,
          hold_since: since,
          resumes_on_reply: reason!.resumes_on_reply,
          hold_pauses_sla: reason!.pauses_sla,
        }
      : {}),
  }
}

const latest = (...instants: (string | null)[]): string =>
  instants.reduce<string>((most, each) => (each !== null && each > most ? each : most), '')

/**
 * A conversation with one more message of the past. Nobody has to read it, and the status stays: it is that of the
 * source.
 */
export function withMessage(row: Conversation, message: Message): Conversation {
  const { author_side: author, created_at: at, sequence } = message
  const isLatest = row.last_message_at === null || at >= row.last_message_at
  const [readByEndUser, readByOperator] = [row.unread_by_end_user === 0, row.unread_by_operator === 0]
  const next: Conversation = {
    ...row,
    message_count: sequence,
    read_by_end_user: readByEndUser ? sequence : row.read_by_end_user,
    read_by_operator: readByOperator ? sequence : row.read_by_operator,
    ...taking(row, message),
  }
  if (message.visibility === 'internal' || !isLatest) return next
  const answers = author === 'operator' && row.initiated_by_side !== 'operator'
  const isOpen = row.status === 'new' || row.status === 'open'
  const begins = author === 'operator' || (author === 'end_user' && row.unanswered_since === null)
  const isWaiting = isOpen || (row.status === 'pending' && author === 'operator')
  return {
    ...next,
    last_message_at: at,
    last_message_side: author,
    first_response_at: row.first_response_at ?? (answers ? at : null),
    waiting_since: isWaiting && begins ? at : row.waiting_since,
    unanswered_since: !(isOpen || row.status === 'pending' || row.status === 'on_hold')
      ? null
      : author === 'operator'
        ? null
        : author === 'end_user'
          ? (row.unanswered_since ?? at)
          : row.unanswered_since,
  }
}

/** The author of a message takes part in its conversation. */
function taking(row: Conversation, { author_end_user_id: id }: Message): Partial<Conversation> {
  if (id === null || id === row.end_user.id || participantIds(row).includes(id)) return {}
  return { participants: [...row.participants, addedParticipant(row.created_at, id)] }
}
