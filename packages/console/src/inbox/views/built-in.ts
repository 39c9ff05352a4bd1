import type { Conversation, FilterTree } from '@backline/sdk'
import type { IconName } from '../../design/Icon.tsx'

export const sorts = ['-last_message_at', '-created_at', 'created_at', '-updated_at', 'sla_due_at'] as const
export type Sort = (typeof sorts)[number]

type Status = Conversation['status']

export type BuiltInView = {
  name:
    | 'open'
    | 'mine'
    | 'to_read'
    | 'following'
    | 'unassigned'
    | 'waiting'
    | 'on_hold'
    | 'due'
    | 'resolved'
    | 'all'
  icon: IconName
  statuses?: Status[]
  assignee?: 'me' | 'none'
  /** Only conversations in which one has something to read. */
  isUnread?: boolean
  /** Only conversations that one follows. */
  isFollowed?: boolean
  /** Only conversations with an SLA deadline. */
  isDue?: boolean
  sort: Sort
}

const unfinished: Status[] = ['new', 'open', 'pending', 'on_hold']

export const builtInViews: BuiltInView[] = [
  { name: 'open', icon: 'inbox', statuses: ['new', 'open'], sort: '-last_message_at' },
  { name: 'mine', icon: 'user', statuses: unfinished, assignee: 'me', sort: '-last_message_at' },
  { name: 'to_read', icon: 'mail', isUnread: true, sort: '-last_message_at' },
  { name: 'following', icon: 'star', statuses: unfinished, isFollowed: true, sort: '-last_message_at' },
  { name: 'unassigned', icon: 'users', statuses: ['new', 'open'], assignee: 'none', sort: 'sla_due_at' },
  { name: 'waiting', icon: 'clock', statuses: ['pending'], sort: '-last_message_at' },
  { name: 'on_hold', icon: 'pause', statuses: ['on_hold'], sort: '-updated_at' },
  { name: 'due', icon: 'bolt', statuses: unfinished, isDue: true, sort: 'sla_due_at' },
  { name: 'resolved', icon: 'check', statuses: ['resolved', 'closed'], sort: '-updated_at' },
  { name: 'all', icon: 'list', sort: '-created_at' },
]

export const withDeadline: FilterTree = { field: 'sla.due_at', op: 'exists', value: true }

/** The parameters of the list that shows the view. */
export const queryOf = (
  { statuses, assignee, isDue, isUnread, isFollowed }: BuiltInView,
  operatorId: string,
) => ({
  ...(statuses && { status: statuses }),
  ...(assignee && { assignee_id: assignee === 'me' ? operatorId : 'none' }),
  ...(isUnread && { unread: 'me' as const }),
  ...(isFollowed && { follower_id: operatorId }),
  ...(isDue && { filter: withDeadline }),
})

const hasDeadline = ({ sla }: Conversation): boolean =>
  [sla?.first_response, sla?.next_response, sla?.resolution].some(
    (clock) => clock && clock.met_at === null && clock.due_at !== null && clock.status !== 'cancelled',
  )

/** Whether the view lists a conversation, as the server would decide. */
export const belongsTo = (view: BuiltInView, conversation: Conversation, operatorId: string): boolean =>
  (!view.statuses || view.statuses.includes(conversation.status)) &&
  (!view.assignee || conversation.assignee_id === (view.assignee === 'me' ? operatorId : null)) &&
  (!view.isUnread || (conversation.read_state?.unread_count ?? 0) > 0) &&
  (!view.isFollowed || conversation.follower_ids?.includes(operatorId) === true) &&
  (!view.isDue || hasDeadline(conversation))

/** The status that most of its conversations have: rows do not repeat it. */
export const usualStatusOf = ({ statuses = ['open'] }: BuiltInView): Status | undefined =>
  statuses.includes('open') ? 'open' : statuses[0]
