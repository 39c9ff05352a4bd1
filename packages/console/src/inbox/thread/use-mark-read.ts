import type { Conversation } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { newer, patchConversation } from '../model/conversations.ts'

const useIsVisible = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
    () => document.visibilityState === 'visible',
  )

/** Marks messages as read by the operators once the newest one is on the screen. */
export function useMarkRead({ id, unread_count }: Conversation, newest: number, isAtEnd: boolean): void {
  const { backline, can } = useEnvironment()
  const cache = useQueryClient()
  const isVisible = useIsVisible()
  const marked = useRef(0)
  const isDue = isVisible && isAtEnd && newest > 0 && unread_count.operator > 0 && can('conversations:write')
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
}
