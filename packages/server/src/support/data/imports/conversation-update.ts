import type { HoldReason } from '../../catalogue/hold-reasons/queries.ts'
import { addedParticipant } from '../../desk/conversations/participants.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { type ConversationReferences, stateOf } from './conversation-rows.ts'
import { type ConversationLine, instantOf } from './conversation-schema.ts'

/**
 * A conversation that exists, with the fields that a line has. Its status stays if it has clocks: then it lives here,
 * and the source tells its past.
 */
export function patchedRow(
  row: Conversation,
  line: ConversationLine,
  references: ConversationReferences,
): Conversation {
  const has = (name: keyof ConversationLine) => line[name] !== undefined
  const patch: Partial<Conversation> = {
    ...(has('subject') ? { subject: line.subject! } : {}),
    ...(has('priority') ? { priority: line.priority! } : {}),
    ...(has('language') ? { language: line.language! } : {}),
    ...(has('company_external_id') ? { company_id: references.companyId } : {}),
    ...(has('department_external_id') ? { department_id: references.departmentId } : {}),
    ...(has('category_external_id') ? { category_id: references.categoryId } : {}),
    ...(has('metadata') ? { metadata: { ...row.metadata, ...line.metadata } } : {}),
    ...(has('custom_fields') ? { custom_fields: references.customFields } : {}),
    ...(has('tags') || has('tag_external_ids') ? { tags: references.tags } : {}),
    ...(has('participant_external_ids')
      ? {
          participants: references.participants.map(
            (id) => row.participants.find((each) => each.id === id) ?? addedParticipant(row.created_at, id),
          ),
        }
      : {}),
    ...(has('first_response_at') ? { first_response_at: instantOf(line.first_response_at) } : {}),
    ...(row.sla === null ? stateOfLine(row, line, references) : {}),
  }
  const isSame = Object.entries(patch).every(
    ([name, value]) => JSON.stringify(row[name as keyof Conversation]) === JSON.stringify(value),
  )
  return isSame ? row : { ...row, ...patch }
}

function stateOfLine(
  row: Conversation,
  line: ConversationLine,
  { assigneeId, holdReason }: ConversationReferences,
): Partial<Conversation> {
  const assigned =
    line.assignee_external_id === undefined || assigneeId === row.assignee_id
      ? {}
      : {
          assignee_id: assigneeId,
          assignment_strategy: assigneeId === null ? null : 'manual',
          assignment_reason: assigneeId === null ? null : 'Imported',
          assigned_at: assigneeId === null ? null : row.created_at,
        }
  if (line.status === undefined || line.status === row.status)
    return { ...assigned, ...timesOfLine(row, line), ...holdOfLine(row, line, holdReason) }
  const { updated_at: _, ...state } = stateOf(line, line.status, holdReason)
  return { ...assigned, ...state, unanswered_since: null }
}

/** The times that belong to the status of a conversation, as far as the line has them. */
function timesOfLine(row: Conversation, line: ConversationLine): Partial<Conversation> {
  const [resolved, closed] = [instantOf(line.resolved_at), instantOf(line.closed_at)]
  const isOver = row.status === 'resolved' || row.status === 'closed'
  return {
    ...(isOver && resolved !== null ? { resolved_at: resolved } : {}),
    ...(row.status === 'closed' && closed !== null ? { closed_at: closed } : {}),
  }
}

/** The hold of a conversation that stays on hold, as far as the line has it. */
function holdOfLine(
  row: Conversation,
  { hold }: ConversationLine,
  reason: HoldReason | null,
): Partial<Conversation> {
  if (hold == null || row.status !== 'on_hold') return {}
  const since = instantOf(hold.since) ?? row.hold_since
  const waiting_on = hold.reason === undefined ? row.waiting_on : reason!.waiting_on
  return {
    ...(hold.reason === undefined
      ? {}
      : {
          hold_reason_id: reason!.id,
          resumes_on_reply: reason!.resumes_on_reply,
          hold_pauses_sla: reason!.pauses_sla,
        }),
    ...(hold.note === undefined ? {} : { hold_note: hold.note }),
    hold_since: since,
    waiting_on,
    waiting_since: waiting_on === null ? null : since,
  }
}
