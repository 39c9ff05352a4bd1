import type { Notification } from '@backline/sdk'
import { nameOfEndUser } from '../inbox/model/people.ts'
import { textOf } from '../inbox/model/reading.ts'
import type { TextsIn } from '../texts/define.ts'
import type { words } from './words.ts'

export type Wording = {
  text: TextsIn<typeof words>
  operatorName(id: string | null): string | undefined
}

/** The objects that a notification needs to be put into words, as far as the role may read them. */
export const includedFor = (can: (scope: `${'end_users' | 'messages'}:read`) => boolean) => [
  'conversation' as const,
  ...(can('end_users:read') ? (['end_user'] as const) : []),
  ...(can('messages:read') ? (['message'] as const) : []),
]

/** The name of the person who did it; null for the system, a rule or an app. */
export function doerOf(
  { kind, actor, end_user, conversation, message }: Notification,
  { text, operatorName }: Wording,
): string | null {
  if (kind === 'answered' || kind === 'followed_up')
    return nameOfEndUser(end_user) ?? conversation?.external_user_id ?? text.visitor
  const id = (kind === 'mentioned' ? message?.operator_id : null) ?? actor.operator_id
  return operatorName(id) ?? null
}

/** "Grace Hopper mentioned you · 2 times" */
export function sentenceOf(notification: Notification, wording: Wording): string {
  const { kind, reason, sla_metric, count } = notification
  const { text } = wording
  const doer = doerOf(notification, wording)
  const by = (what: string) => (doer === null ? what : text.by(what, doer))
  const clock = sla_metric ? text[sla_metric] : text.sla
  const handedOver = { reassigned: text.reassigned, unassigned: text.unassigned }
  const sentence = {
    mentioned: () => text.mentionedYou(doer ?? text.somebody),
    assigned: () => by(text.assigned),
    handed_over: () => by(handedOver[reason as keyof typeof handedOver] ?? text.inDepartment),
    answered: () => text.answered(doer ?? text.visitor),
    followed_up: () => by(text.followedUp),
    sla_breached: () => text.overdue(clock),
    sla_warning: () => text.dueSoon(clock),
  }[kind]()
  return count > 1 ? `${sentence} · ${text.times(count)}` : sentence
}

/** The subject and the first words of the message; null without a conversation. */
export function aboutOf({ conversation, message }: Notification, { text }: Wording): string[] | null {
  if (!conversation) return null
  const words = message ? textOf(message) : ''
  return [conversation.subject ?? (words === '' ? text.noSubject : ''), words].filter((each) => each !== '')
}
