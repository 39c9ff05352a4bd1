import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { type ClockName, clockNames } from '../../../sla/clocks/clocks.ts'
import { kinds, type NotificationKind, type NotificationReason } from '../kinds.ts'
import type { Desk } from './desk.ts'
import type { EventToNotice } from './queries.ts'
import { type NoticedRequest, operatorIn } from './requests.ts'

/** Something of which an operator is notified. */
export type Fact = {
  operatorId: string
  kind: NotificationKind
  reason: NotificationReason
  event: EventToNotice
  message: { id: string; sequence: number | null } | null
  metric: ClockName | null
}

/** The operators of departments who are online. */
export type OnlineMembers = ReadonlyMap<string, readonly string[]>

const isPublic = ({ object }: EventToNotice) => object!.visibility === 'public'

/** The operators whom an event mentions, and did not before. A scheduled note mentions nobody before it is sent. */
export function mentionedBy({ type, object, former_mentions }: EventToNotice): string[] {
  const isCreated = type === 'message.created'
  const isEdit = type === 'message.updated' && former_mentions !== null && object!.sequence !== null
  if (!isCreated && !isEdit) return []
  const former = new Set(isCreated ? [] : former_mentions)
  return (object!.mentions ?? []).flatMap((id) => (former.has(id) ? [] : (operatorIn(id) ?? [])))
}

/** The metric of a warning or breach: its clock had none before. */
function metricOf({ type, object, former }: EventToNotice): ClockName | null {
  const since = type === 'conversation.sla_breached' ? 'breached_at' : 'warned_at'
  return (
    clockNames.find((name) => object!.sla?.[name]?.[since] != null && former?.sla?.[name]?.[since] == null) ??
    null
  )
}

/** True if a conversation came to a department by a change. */
export const changesDepartment = ({ former_department, object }: EventToNotice): boolean =>
  former_department !== null && object?.department_id != null

/**
 * Returns the facts of a request about a conversation: at most one for each operator, the first by the order of kinds.
 * Nobody is notified of what was done in their name. Applies its events to `desk`.
 */
export function factsOf(
  { conversationId, events, names }: NoticedRequest,
  desk: Desk,
  online: OnlineMembers,
): Fact[] {
  const former = desk.assigneeOf(conversationId)
  const facts: Fact[] = []
  const add = (
    event: EventToNotice,
    operatorId: string,
    kind: NotificationKind,
    reason: NotificationReason,
    metric: ClockName | null = null,
  ) => {
    const isMessage = event.type.startsWith('message.')
    const message = isMessage ? { id: event.resource_id, sequence: event.object!.sequence } : null
    facts.push({ operatorId, kind, reason, event, message, metric })
  }
  const tell = (event: EventToNotice, about: string, kind: NotificationKind, metric?: ClockName | null) => {
    for (const [id, reason] of desk.audienceOf(about, event.created_at)) add(event, id, kind, reason, metric)
  }
  for (const event of events) desk.apply(event)
  const present = desk.assigneeOf(conversationId)
  const isNew = events.some(({ type }) => type === 'conversation.created')

  for (const event of events) for (const id of mentionedBy(event)) add(event, id, 'mentioned', 'mentioned')
  const moved = events.findLast(
    ({ type, former_assignee }) => type === 'conversation.created' || former_assignee !== null,
  )
  if (moved && (isNew ? null : former) !== present) {
    if (present !== null) add(moved, present, 'assigned', 'assignee')
    if (former !== null && !isNew)
      add(moved, former, 'handed_over', present === null ? 'unassigned' : 'reassigned')
  }
  const arrived = isNew ? undefined : events.findLast(changesDepartment)
  if (arrived && present === null)
    for (const id of online.get(uuidOf('dept', arrived.object!.department_id!) ?? '') ?? [])
      add(arrived, id, 'handed_over', 'department')
  for (const event of events) {
    const { type, object } = event
    if (type === 'message.created' && object!.author_side === 'end_user' && isPublic(event))
      tell(event, conversationId, 'answered')
    if (type === 'conversation.created' && object!.follow_up_of_id !== null)
      tell(event, uuidOf('conv', object!.follow_up_of_id)!, 'followed_up')
    if (type === 'conversation.sla_breached') tell(event, conversationId, 'sla_breached', metricOf(event))
    if (type === 'conversation.sla_warning') tell(event, conversationId, 'sla_warning', metricOf(event))
  }
  return firstOfEach(facts.filter(({ operatorId }) => !names.has(operatorId)))
}

function firstOfEach(facts: Fact[]): Fact[] {
  const first = new Map<string, Fact>()
  const placeOf = ({ kind }: Fact) => kinds.indexOf(kind)
  for (const fact of facts) {
    const known = first.get(fact.operatorId)
    if (!known || placeOf(fact) < placeOf(known)) first.set(fact.operatorId, fact)
  }
  return [...first.values()]
}

/** The operators who follow by an event, if their preferences have it. */
export function followersBy(event: EventToNotice): { operatorId: string; source: 'mention' | 'reply' }[] {
  const mentioned = mentionedBy(event).map((operatorId) => ({ operatorId, source: 'mention' as const }))
  const { type, object } = event
  const author =
    type === 'message.created' && object!.author_side === 'operator' && isPublic(event)
      ? operatorIn(object!.operator_id)
      : null
  return author === null ? mentioned : [...mentioned, { operatorId: author, source: 'reply' }]
}
