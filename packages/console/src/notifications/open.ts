import type { Notification } from '@backline/sdk'
import { useCallback } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../data/environment.tsx'
import { focusOnOpening } from '../inbox/model/opening.ts'

type Target = Pick<Notification, 'conversation_id' | 'message_id'>

/** The address of the conversation, at the message: beside the list that is on the page, if there is one. */
export function useHref(): (target: Target) => string {
  const { name } = useEnvironment()
  const [path] = useLocation()
  const [, , area, view] = path.split('/')
  const list = (area === 'inbox' && view) || 'all'
  return ({ conversation_id, message_id }) =>
    `/${name}/inbox/${list}/${conversation_id}${message_id ? `#${message_id}` : ''}`
}

/** Reads a notification when it is opened, beside going to its conversation. */
export function useOpened(): (notification: Notification) => void {
  const { backline } = useEnvironment()
  return useCallback(
    ({ id, read_at, conversation_id, message_id }) => {
      // A message that the address names takes the focus itself.
      if (!message_id) focusOnOpening(conversation_id)
      // One that stays unread can be opened again.
      if (read_at === null) backline.notifications.read(id).catch(() => undefined)
    },
    [backline],
  )
}
