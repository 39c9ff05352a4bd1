import type { Conversation, Message } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type LiveEvent, useLiveEvents, useStaleAfterwards } from '../../data/live.tsx'
import { newer, patchConversation } from './conversations.ts'
import { putEvent, putMessage } from './messages.ts'

export const conversationOf = (event: LiveEvent): Conversation | null =>
  'resource' in event && event.resource.type === 'conversation' ? (event.data.object as Conversation) : null

/** The message of an event of the stream that a person can read now; null for others and scheduled ones. */
export const messageOf = (event: LiveEvent): Message | null =>
  'resource' in event && event.resource.type === 'message' ? (event.data.object as Message) : null

/** Whether the environment has no conversation at all. */
export const isEmptyKey = ['conversations', 'is_empty']

const inboxKeys = [['conversations']]

/** Brings all that the inbox shows up to date by the events themselves, without a request. */
export function useInboxEvents(): void {
  useStaleAfterwards(inboxKeys)
  const cache = useQueryClient()
  useLiveEvents((event) => {
    const conversation = conversationOf(event)
    if (conversation && 'resource' in event) {
      if (event.type === 'conversation.created') cache.setQueryData(isEmptyKey, false)
      patchConversation(cache, conversation.id, (known) => newer(known, conversation))
      putEvent(cache, conversation.id, event)
      if ('status' in event.data.previous || 'assignee_id' in event.data.previous)
        void cache.invalidateQueries({ queryKey: ['conversations', conversation.id, 'transitions'] })
    }
    const message = messageOf(event)
    if (!message) return
    if (message.status === 'sent' && !event.type.startsWith('message.schedule')) putMessage(cache, message)
    if (event.type === 'message.created' && event.data.conversation) {
      const { conversation: changed } = event.data
      patchConversation(cache, changed.id, (known) =>
        changed.version > known.version ? { ...known, ...changed } : known,
      )
    }
    if (event.type.startsWith('message.schedule') || message.send_at || event.type === 'message.redacted')
      void cache.invalidateQueries({ queryKey: ['conversations', message.conversation_id, 'scheduled'] })
  })
}
