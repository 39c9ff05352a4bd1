import type { Conversation, Message } from '@backline/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { type LiveEvent, useLiveEvents, useStaleAfterwards } from '../../data/live.tsx'
import { type ConversationPages, lists, newer, patchConversation, useIncluded } from './conversations.ts'
import { putEvent, putMessage } from './messages.ts'

export const conversationOf = (event: LiveEvent): Conversation | null =>
  'resource' in event && event.resource.type === 'conversation' ? (event.data.object as Conversation) : null

/** The message of an event of the stream that a person can read now; null for others and scheduled ones. */
export const messageOf = (event: LiveEvent): Message | null =>
  'resource' in event && event.resource.type === 'message' ? (event.data.object as Message) : null

/** Whether the environment has no conversation at all. */
export const isEmptyKey = ['conversations', 'is_empty']

const inboxKeys = [['conversations']]

const readAgainMs = 500

const isShown = (cache: QueryClient, id: string): boolean =>
  cache.getQueryData(['conversations', id]) !== undefined ||
  cache
    .getQueriesData<ConversationPages>({ queryKey: lists })
    .some(([, list]) => list?.pages.some(({ data }) => data.some((each) => each.id === id)))

/** A conversation after a message about which it has no event of its own. */
function withMessage(known: Conversation, message: Message): Conversation {
  if (message.sequence === null || message.sequence <= known.message_count) return known
  const isPublic = message.visibility === 'public'
  const { end_user, operator } = known.unread_count
  return {
    ...known,
    message_count: message.sequence,
    last_message_at: message.created_at,
    last_message_side: message.author_side,
    unread_count: {
      end_user: end_user + (isPublic && message.author_side !== 'end_user' ? 1 : 0),
      operator: operator + (isPublic && message.author_side === 'end_user' ? 1 : 0),
    },
    updated_at: message.created_at,
    version: known.version + 1,
  }
}

/** Brings all that the inbox shows up to date by the events themselves, without a request. */
export function useInboxEvents(): void {
  useStaleAfterwards(inboxKeys)
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const include = useIncluded()
  const waiting = useRef(new Set<string>())
  // A message can start and end SLA clocks without an event of its conversation.
  const readAgain = async (id: string) => {
    if (waiting.current.has(id) || !isShown(cache, id)) return
    waiting.current.add(id)
    await new Promise((resolve) => setTimeout(resolve, readAgainMs))
    waiting.current.delete(id)
    const conversation = await backline.conversations.retrieve(id, { include }).catch(() => null)
    if (conversation) patchConversation(cache, id, (known) => newer(known, conversation))
  }
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
    if (event.type === 'message.created') {
      patchConversation(cache, message.conversation_id, (known) => withMessage(known, message))
      if (message.visibility === 'public') void readAgain(message.conversation_id)
    }
    if (event.type.startsWith('message.schedule') || message.send_at || event.type === 'message.redacted')
      void cache.invalidateQueries({ queryKey: ['conversations', message.conversation_id, 'scheduled'] })
  })
}
