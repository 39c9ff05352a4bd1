import type { Consumer, EventBatch } from '../../../../platform/jobs/consumer.ts'
import type { Position } from '../../../../platform/journal/positions.ts'
import { positionOf } from '../../../../platform/journal/positions.ts'
import { uuidOf } from '../../../../platform/kernel/ids.ts'
import { Batch } from '../../../../platform/unit-of-work/batch.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { Draft } from '../../../../platform/unit-of-work/draft.ts'
import {
  deleteFollowed,
  deleteFollowers,
  followAutomatically,
} from '../../conversations/followers/queries.ts'
import { announce } from '../announcing.ts'
import {
  deleteNotificationsAbout,
  deleteNotificationsOf,
  deletePreferences,
  isKept,
  noticing,
  trimNotifications,
} from '../queries.ts'
import { Desk } from './desk.ts'
import { changesDepartment, factsOf, followersBy, mentionedBy, type OnlineMembers } from './facts.ts'
import { Inbox } from './inbox.ts'
import {
  deleteReadings,
  type EventToNotice,
  environmentsToNotice,
  eventsToNotice,
  hasAnyOperator,
  notificationsAbout,
  onlineMembers,
  pendingReadings,
} from './queries.ts'
import { isUpTo, operatorIn, requestsIn, wholeRequests } from './requests.ts'
import { OperatorSettings } from './settings.ts'

const batchSize = 1_000
/** The maximum number of members of a department who are told that a conversation came there. */
const mostMembers = 100

/**
 * Makes notifications and followers from the journal, behind the writes that they are about: each fact once, since they
 * commit together with the position of the consumer. Everything is judged as it was at the moment of the fact
 * (docs/adr/0066-notifications.md).
 */
export const noticingEvents: Consumer = {
  name: noticing,
  restMs: 500,
  behind: environmentsToNotice,
  take: noticeNext,
}

async function noticeNext(
  ctx: Ctx,
  from: Position | null,
  end: Position,
): Promise<EventBatch | null | 'nobody'> {
  const { db, env } = ctx
  if (!(await hasAnyOperator(db, env.tenantId))) return 'nobody'
  const found = await eventsToNotice(db, env.tenantId, { from, end }, batchSize)
  const events = wholeRequests(found, found.length === batchSize)
  const last = events.at(-1)
  if (!last) return null
  const more = events.length < found.length || found.length === batchSize
  const through = more || end.position === 0 ? positionOf(last) : end
  const draft = new Draft(ctx, new Batch())
  const news = await notice(draft.change, events, from)
  const { parts, events: made } = await draft.plan(null)
  return {
    parts,
    events: made,
    through,
    more,
    onCommit: () => void announce(ctx, news()).catch(() => undefined), // the list has what no stream is told
  }
}

/** Declares what the events lead to. @returns a function for what the streams are told once it is written */
async function notice(change: Change, events: EventToNotice[], from: Position | null) {
  const { db, tenantId, now } = change
  const requests = requestsIn(events)
  const gone = events.filter(({ type }) => type === 'conversation.deleted').map(({ stream_id }) => stream_id)
  if (gone.length > 0) change.effects.write(deleteNotificationsAbout(tenantId, gone))
  for (const id of gone) change.effects.write(deleteFollowers(tenantId, id, null))
  for (const { type, resource_id } of events)
    if (type === 'operator.deleted') forgetOperator(change, resource_id)

  const ids = [...new Set(events.flatMap(concerned))]
  const desk = await Desk.at(db, tenantId, ids, from)
  const online = await membersOf(change, events)
  const settings = await OperatorSettings.at(
    db,
    tenantId,
    [...new Set(operatorsIn(events, desk, online))],
    from,
  )
  const about = ids.filter((id) => desk.has(id))
  const merged = events.flatMap(({ type, stream_id }) => (type === 'conversation.merged' ? [stream_id] : []))
  const inbox = new Inbox(
    change,
    about.length === 0 ? [] : await notificationsAbout(db, tenantId, about, merged),
  )
  const readings = about.length === 0 ? [] : await pendingReadings(db, tenantId)

  for (const request of requests) {
    const [first] = request.events
    while (readings[0] && !isUpTo(first!, readings[0].position)) inbox.readPending(readings.shift()!)
    for (const event of request.events) settings.apply(event)
    const facts = factsOf(request, desk, online)
    for (const event of request.events)
      for (const { operatorId, source } of followersBy(event)) {
        const follow = settings.of(operatorId)?.follow
        if (source === 'mention' ? follow?.on_mention : follow?.on_reply)
          desk.follow(request.conversationId, operatorId, source, event.created_at)
      }
    for (const fact of facts) {
      const own = settings.of(fact.operatorId)?.kinds[fact.kind]
      const isRecent = isKept({ notified_at: fact.event.created_at }, now)
      if (own?.inbox && isRecent && desk.has(request.conversationId))
        inbox.add(fact, request.conversationId, own.desktop)
    }
    for (const event of request.events) endBy(event, inbox)
  }
  for (const reading of readings) inbox.readPending(reading)
  const last = events.at(-1)!
  if (readings.length > 0 || about.length > 0) change.effects.write(deleteReadings(tenantId, last))
  for (const follower of desk.followed) change.effects.writeBatched(followAutomatically, follower)
  const made = inbox.made()
  if (made.length > 0) change.effects.write(trimNotifications(tenantId, made, inbox.touchedIds))
  return () => inbox.news()
}

/** The conversations whose assignees, followers or notifications an event is about. */
function concerned({ type, object, stream_id, former_assignee }: EventToNotice): string[] {
  if (object === null || type === 'operator.deleted' || type === 'notification_preferences.updated') return []
  const earlier = object.follow_up_of_id === null ? [] : [uuidOf('conv', object.follow_up_of_id)!]
  const into = object.merged_into_id === null ? [] : [uuidOf('conv', object.merged_into_id)!]
  if (type === 'message.created') return object.author_side === 'system' ? [] : [stream_id]
  if (type === 'message.updated') return (object.mentions?.length ?? 0) > 0 ? [stream_id] : []
  if (type === 'conversation.created')
    return object.assignee_id === null && earlier.length === 0 ? [] : [stream_id, ...earlier]
  if (type === 'conversation.merged') return [stream_id, ...into]
  return former_assignee !== null ||
    object.department_id !== null ||
    object.status === 'closed' ||
    type.startsWith('conversation.sla_') ||
    type.startsWith('conversation.follower_')
    ? [stream_id]
    : []
}

/** Applies what a request ends: one's own message, and closing a conversation, read; a merge moves. */
function endBy(event: EventToNotice, inbox: Inbox): void {
  const { type, object, stream_id, created_at } = event
  const author = type === 'message.created' ? operatorIn(object!.operator_id) : null
  if (author !== null)
    inbox.read((row) => row.operator_id === author && row.conversation_id === stream_id, created_at)
  if (type === 'conversation.merged') inbox.move(stream_id, uuidOf('conv', object!.merged_into_id!)!)
  else if (type.startsWith('conversation.') && object!.status === 'closed')
    inbox.read((row) => row.conversation_id === stream_id && row.kind !== 'mentioned', created_at)
}

async function membersOf({ db, tenantId }: Change, events: EventToNotice[]): Promise<OnlineMembers> {
  const ids = events.flatMap((event) =>
    changesDepartment(event) && event.object!.assignee_id === null
      ? [uuidOf('dept', event.object!.department_id!)!]
      : [],
  )
  if (ids.length === 0) return new Map()
  const members = await onlineMembers(db, tenantId, [...new Set(ids)], mostMembers)
  const byDepartment = Map.groupBy(members, ({ department_id }) => department_id)
  return new Map([...byDepartment].map(([id, rows]) => [id, rows.map(({ operator_id }) => operator_id)]))
}

const operatorsIn = (events: EventToNotice[], desk: Desk, online: OnlineMembers): string[] => [
  ...desk.everybody(),
  ...[...online.values()].flat(),
  ...events.flatMap((event) => {
    if (event.object === null) return []
    const { assignee_id, operator_id } = event.object
    return [operatorIn(assignee_id), operatorIn(operator_id)]
      .flatMap((id) => id ?? [])
      .concat(mentionedBy(event))
  }),
]

/** An operator may have been deleted while facts about it were noticed. */
export function forgetOperator(change: Change, operatorId: string): void {
  change.effects.write(deleteNotificationsOf(change.tenantId, operatorId))
  change.effects.write(deletePreferences(change.tenantId, operatorId))
  change.effects.write(deleteFollowed(change.tenantId, operatorId))
}
