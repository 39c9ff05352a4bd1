import type { Event } from '@backline/sdk'
import { isEqual } from '../../forms/changes.ts'
import type { TextsIn } from '../../texts/define.ts'
import type { modelTexts } from '../model/texts.ts'
import type { texts } from './texts.ts'

export type EventWording = {
  text: TextsIn<typeof texts>
  word: TextsIn<typeof modelTexts>
  operatorId: string
  operatorName(id: string | null): string | undefined
  departmentName(id: string | null): string | undefined
  holdReasonName(id: string | null): string | undefined
  /** @param key that of a custom field of conversations */
  fieldName(key: string): string
  moment(instant: string): string
}

/** The name of whoever made a change. */
export function actorOf(
  { actor }: Event,
  { text, operatorId, operatorName }: EventWording,
  person: string,
): string {
  if (actor.operator_id === operatorId) return text.you
  if (actor.operator_id) return operatorName(actor.operator_id) ?? text.operator
  if (actor.type === 'end_user') return person
  return { api_key: text.api, operator: text.operator, mailbox: text.mailbox, system: text.system }[
    actor.type
  ]
}

const namesOf = (tags: string[], and: string): string =>
  tags.length < 2 ? tags.join('') : `${tags.slice(0, -1).join(', ')} ${and} ${tags.at(-1)}`

/** The keys of the custom fields that have another value than before. */
export const changedKeys = (before: Values, now: Values): string[] =>
  Object.keys({ ...before, ...now }).filter((key) => !isEqual(before[key] ?? null, now[key] ?? null))

type Values = Record<string, unknown>
type FollowerEvent = Extract<Event, { type: `conversation.follower_${string}` }>
/** A deleted conversation has no timeline. */
type ConversationEvent = Exclude<
  Extract<Event, { type: `conversation.${string}` }>,
  { type: 'conversation.deleted' } | FollowerEvent
>
type Sentence = (event: ConversationEvent, using: EventWording) => string | null

/** Read after the name of who did it; null for what nobody needs to read. A missing entry does not compile. */
const sentences: Record<ConversationEvent['type'], Sentence> = {
  'conversation.created': (_, { text }) => text.created,
  'conversation.imported': (_, { text }) => text.imported,
  'conversation.updated': updated,
  'conversation.assigned': assigned,
  'conversation.held': held,
  'conversation.resumed': (_, { text }) => text.resumed,
  'conversation.resolved': (_, { text }) => text.resolved,
  'conversation.reopened': (_, { text }) => text.reopened,
  'conversation.closed': (_, { text }) => text.closed,
  'conversation.merged': (_, { text }) => text.merged,
  'conversation.tags_changed': tagsChanged,
  'conversation.read': () => null,
  'conversation.sla_warning': (_, { text }) => text.slaWarning,
  'conversation.sla_breached': (_, { text }) => text.slaBreached,
}

/** Describes an event of a conversation by a sentence without its subject. */
export function describeEvent(event: Event, using: EventWording): string | null {
  if (event.type === 'conversation.follower_added' || event.type === 'conversation.follower_removed')
    return followed(event, using)
  return event.type in sentences
    ? sentences[event.type as ConversationEvent['type']](event as ConversationEvent, using)
    : null
}

function followed({ type, data: { object }, actor }: FollowerEvent, using: EventWording): string {
  const { text, operatorName } = using
  const isOwn = object.operator_id === actor.operator_id
  const name = operatorName(object.operator_id) ?? text.operator
  if (type === 'conversation.follower_added') return isOwn ? text.follows : text.letFollow(name)
  return isOwn ? text.followsNoMore : text.endedFollowing(name)
}

function held({ data: { object } }: ConversationEvent, using: EventWording): string {
  const { text, holdReasonName, moment } = using
  return [
    text.held(holdReasonName(object.hold?.hold_reason_id ?? null) ?? '…'),
    object.hold?.until && text.heldUntil(moment(object.hold.until)),
    object.hold?.note && `– ${object.hold.note}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function assigned({ data, actor }: ConversationEvent, using: EventWording): string {
  const { object: now, previous: before } = data
  const { text } = using
  const department = using.departmentName(now.department_id) ?? text.noDepartment
  const name = using.operatorName(now.assignee_id) ?? text.operator
  // Who chooses a department does not choose the person whom its routing then chooses.
  const isRouted = now.assignment !== null && now.assignment.strategy !== 'manual'
  if ('department_id' in before && now.assignee_id && isRouted) return text.movedAndRouted(department, name)
  const parts: string[] = []
  if ('department_id' in before) parts.push(text.moved(department))
  if ('assignee_id' in before) {
    if (now.assignee_id === null) parts.push(text.unassigned)
    else if (now.assignee_id === actor.operator_id) parts.push(text.tookIt)
    else parts.push(text.assigned(name))
  }
  return parts.join(', ')
}

function tagsChanged({ data }: ConversationEvent, { text }: EventWording): string | null {
  const { object: now, previous: before } = data
  const old = before.tags ?? []
  const added = now.tags.filter((tag) => !old.includes(tag))
  const removed = old.filter((tag) => !now.tags.includes(tag))
  const parts = [
    added.length > 0 && text.tagsAdded(namesOf(added, text.and)),
    removed.length > 0 && text.tagsRemoved(namesOf(removed, text.and)),
  ]
  return parts.filter(Boolean).join(', ') || null
}

/** A message that stands beside it says why the status changed. */
function updated({ data }: ConversationEvent, { text, word, fieldName }: EventWording): string | null {
  const { object: now, previous: before } = data
  const byMessage = 'message_count' in before
  const parts = [
    'priority' in before && text.priority(word[now.priority]),
    'status' in before && !byMessage && text.status(word[now.status]),
    'subject' in before && text.subject(now.subject ?? text.noSubject),
    'category_id' in before && text.category,
    before.custom_fields &&
      text.fields(namesOf(changedKeys(before.custom_fields, now.custom_fields).map(fieldName), text.and)),
  ]
  return parts.filter(Boolean).join(', ') || null
}
