import type { FilterTree } from '@backline/sdk'
import { withDeadline } from './built-in.ts'
import type { ChosenView } from './use-view.ts'

/** A condition whose objects an index counts. */
const everything: FilterTree = {
  field: 'status',
  op: 'in',
  value: ['new', 'open', 'pending', 'on_hold', 'resolved', 'closed'],
}

/** The filter that chooses what a view lists. */
export function filterOf({ builtIn, saved }: ChosenView, operatorId: string): FilterTree {
  if (!builtIn) return saved.filter
  const { statuses, assignee, isDue, isUnread, isFollowed } = builtIn
  const conditions: FilterTree[] = [
    ...(statuses ? [{ field: 'status', op: 'in', value: statuses } as const] : []),
    ...(assignee === 'me' ? [{ field: 'assignee_id', op: 'is', value: operatorId } as const] : []),
    ...(assignee === 'none' ? [{ field: 'assignee_id', op: 'exists', value: false } as const] : []),
    ...(isUnread ? [{ field: 'unread', op: 'is', value: 'me' } as const] : []),
    ...(isFollowed ? [{ field: 'follower_ids', op: 'contains', value: operatorId } as const] : []),
    ...(isDue ? [withDeadline] : []),
  ]
  return conditions.length > 0 ? { all: conditions } : everything
}
