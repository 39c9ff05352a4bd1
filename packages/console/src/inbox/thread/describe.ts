import type { Conversation, Event } from '@backline/sdk'
import type { TextsIn } from '../../texts/define.ts'
import type { words } from '../model/words.ts'
import type { texts } from './texts.ts'

export type Describing = {
  text: TextsIn<typeof texts>
  word: TextsIn<typeof words>
  operatorId: string
  operatorName(id: string | null): string | undefined
  departmentName(id: string | null): string | undefined
  holdReasonName(id: string | null): string | undefined
  moment(instant: string): string
}

/** The name of whoever made a change. */
export function actorOf(
  { actor }: Event,
  { text, operatorId, operatorName }: Describing,
  person: string,
): string {
  if (actor.operator_id === operatorId) return text.you
  if (actor.operator_id) return operatorName(actor.operator_id) ?? text.operator
  if (actor.type === 'end_user') return person
  return actor.type === 'system' ? text.system : text.api
}

const namesOf = (tags: string[], and: string): string =>
  tags.length < 2 ? tags.join('') : `${tags.slice(0, -1).join(', ')} ${and} ${tags.at(-1)}`

/**
 * The change that an event tells of, to be read after the name of who did it; null for what nobody needs to read. A
 * message that stands beside it says why the status changed.
 */
export function describe(event: Event, using: Describing): string | null {
  if (event.resource.type !== 'conversation') return null
  const { text } = using
  const now = event.data.object as Conversation
  const before = event.data.previous as Partial<Conversation>
  switch (event.type) {
    case 'conversation.created':
      return text.created
    case 'conversation.assigned':
      return assignment(now, before, event, using)
    case 'conversation.held':
      return [
        text.held(using.holdReasonName(now.hold?.hold_reason_id ?? null) ?? '…'),
        now.hold?.until && text.heldUntil(using.moment(now.hold.until)),
        now.hold?.note && `– ${now.hold.note}`,
      ]
        .filter(Boolean)
        .join(' ')
    case 'conversation.resumed':
      return text.resumed
    case 'conversation.resolved':
      return text.resolved
    case 'conversation.reopened':
      return text.reopened
    case 'conversation.closed':
      return text.closed
    case 'conversation.merged':
      return text.merged
    case 'conversation.tags_changed':
      return tagsChanged(now, before, using)
    case 'conversation.sla_warning':
      return text.slaWarning
    case 'conversation.sla_breached':
      return text.slaBreached
    case 'conversation.updated':
      return updated(now, before, using)
    default:
      return null
  }
}

function assignment(
  now: Conversation,
  before: Partial<Conversation>,
  event: Event,
  using: Describing,
): string {
  const { text } = using
  const parts: string[] = []
  if ('department_id' in before)
    parts.push(text.moved(using.departmentName(now.department_id) ?? text.noDepartment))
  if ('assignee_id' in before) {
    if (now.assignee_id === null) parts.push(text.unassigned)
    else if (now.assignee_id === event.actor.operator_id) parts.push(text.tookIt)
    else parts.push(text.assigned(using.operatorName(now.assignee_id) ?? text.operator))
  }
  return parts.join(', ')
}

function tagsChanged(now: Conversation, before: Partial<Conversation>, { text }: Describing): string | null {
  const old = before.tags ?? []
  const added = now.tags.filter((tag) => !old.includes(tag))
  const removed = old.filter((tag) => !now.tags.includes(tag))
  const parts = [
    added.length > 0 && text.tagsAdded(namesOf(added, text.and)),
    removed.length > 0 && text.tagsRemoved(namesOf(removed, text.and)),
  ]
  return parts.filter(Boolean).join(', ') || null
}

function updated(
  now: Conversation,
  before: Partial<Conversation>,
  { text, word }: Describing,
): string | null {
  const byMessage = 'message_count' in before
  const parts = [
    'priority' in before && text.priority(word[now.priority]),
    'status' in before && !byMessage && text.status(word[now.status]),
    'subject' in before && text.subject(now.subject ?? text.noSubject),
    'category_id' in before && text.category,
    'custom_fields' in before && text.fields,
  ]
  return parts.filter(Boolean).join(', ') || null
}
