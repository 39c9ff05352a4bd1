import type { Conversation } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useIsVisible } from '../../browser/visible.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useReadNotifications } from '../../data/notifications.ts'
import { newer, patchConversation } from '../model/conversations.ts'

/**
 * Marks messages as read by the operator once the newest one is on the screen. For the team they count as read only by
 * the assignee, or by anybody while there is none: who looks at the work of others does not take it off their lists.
 */
export function useMarkRead(
  { id, message_count, unread_count, read_state, assignee_id }: Conversation,
  newest: number,
  isAtEnd: boolean,
): void {
  const { backline, can, operator } = useEnvironment()
  const cache = useQueryClient()
  const isVisible = useIsVisible()
  const marked = useRef(0)
  const isThere = newest > 0 || message_count === 0
  const isSeen = isVisible && isAtEnd && isThere && can('conversations:write')
  const isOwn = assignee_id === null || assignee_id === operator.id
  const isDue = isSeen && isOwn && unread_count.operator > 0
  useEffect(() => {
    if (!isDue || marked.current === newest) return
    marked.current = newest
    void backline.conversations
      .markRead(id, { side: 'operator', up_to_sequence: newest })
      .then((next) => patchConversation(cache, id, (known) => newer(known, next)))
      .catch(() => {
        marked.current = 0
      })
  }, [isDue, newest, id, backline, cache])

  const read = useRef({ id: '', newest: 0 })
  const isUnread = isSeen && (read_state?.unread_count ?? 0) > 0
  useEffect(() => {
    // Each message once: what was marked as unread while it is open stays so.
    if (!isUnread || (read.current.id === id && read.current.newest >= newest)) return
    read.current = { id, newest }
    void backline.conversations
      .markReadForMe(id, { up_to_sequence: newest })
      .then((read_state) => patchConversation(cache, id, (known) => ({ ...known, read_state })))
      .catch(() => {
        read.current = { id: '', newest: 0 }
      })
  }, [isUnread, newest, id, backline, cache])
  useReadNotifications(id, isSeen ? newest : null)
}
