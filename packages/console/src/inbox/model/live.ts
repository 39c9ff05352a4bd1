import type { Conversation, Job, Message } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { isStored, type LiveEvent, useLiveEvents, useStaleAfterwards } from '../../data/live.tsx'
import { newer, patchConversation, useIncluded } from './conversations.ts'
import { putEvent, putMessage } from './messages.ts'
import { withChangedMessage, withNewMessage } from './reading.ts'

export const conversationOf = (event: LiveEvent): Conversation | null =>
  'resource' in event && 'object' in event.data.object && event.data.object.object === 'conversation'
    ? event.data.object
    : null

/** The message of an event of the stream that a person can read now; null for others and scheduled ones. */
export const messageOf = (event: LiveEvent): Message | null =>
  'resource' in event && event.resource.type === 'message' ? (event.data.object as Message) : null

export const isOfFollower = (event: LiveEvent): boolean => event.type.startsWith('conversation.follower_')

/** Whether the environment has no conversation at all. */
export const isEmptyKey = ['conversations', 'is_empty']

const inboxKeys = [['conversations']]

/** An erasure changes what conversations show of a person; some of it when it ends. */
const isOfErasure = (event: LiveEvent): boolean =>
  event.type === 'end_user.erased' ||
  (event.type === 'job.ended' && 'resource' in event && (event.data.object as Job).type === 'erasure')

const readAgainMs = 500

/** Brings all that the inbox shows up to date by the events themselves, without a request unless events are missing. */
export function useInboxEvents(): void {
  useStaleAfterwards(inboxKeys)
  const cache = useQueryClient()
  const { backline, operator } = useEnvironment()
  const include = useIncluded()
  const waiting = useRef(new Set<string>())
  /** One request is enough for events that come together. */
  async function readAgain(id: string): Promise<void> {
    if (waiting.current.has(id)) return
    waiting.current.add(id)
    await new Promise((resolve) => setTimeout(resolve, readAgainMs))
    waiting.current.delete(id)
    const conversation = await backline.conversations.retrieve(id, { include }).catch(() => null)
    if (conversation) patchConversation(cache, id, (known) => newer(known, conversation))
  }
  function applyMessage(
    known: Conversation,
    message: Message,
    changed?: Partial<Conversation>,
  ): Conversation {
    const { sequence } = message
    const steps = (changed?.version ?? 0) - known.version
    if (changed && steps === 1) return { ...withNewMessage(known, message, operator.id), ...changed }
    // Events are missing, or this one is from a server that did not add the conversation yet.
    if (changed ? steps > 1 : (sequence ?? 0) > known.message_count) void readAgain(known.id)
    return known
  }
  useLiveEvents((event) => {
    const conversation = conversationOf(event)
    if (conversation && 'resource' in event) {
      if (event.type === 'conversation.created' || event.type === 'conversation.imported')
        cache.setQueryData(isEmptyKey, false)
      patchConversation(cache, conversation.id, (known) => newer(known, conversation))
      putEvent(cache, conversation.id, event)
      if ('status' in event.data.previous || 'assignee_id' in event.data.previous)
        void cache.invalidateQueries({ queryKey: ['conversations', conversation.id, 'transitions'] })
    }
    if (isOfErasure(event))
      for (const queryKey of [['conversations'], ['end_users']]) void cache.invalidateQueries({ queryKey })
    if (event.type === 'conversation.deleted') void cache.invalidateQueries({ queryKey: ['conversations'] })
    if (event.type === 'read_state' && !isStored(event)) {
      const { data: read_state } = event
      patchConversation(cache, read_state.conversation_id, (known) => ({ ...known, read_state }))
    }
    const message = messageOf(event)
    if (!message) return
    if (message.status === 'sent' && !event.type.startsWith('message.schedule')) putMessage(cache, message)
    if (event.type === 'message.created')
      patchConversation(cache, message.conversation_id, (known) =>
        applyMessage(known, message, event.data.conversation),
      )
    if (event.type === 'message.updated' || event.type === 'message.redacted')
      patchConversation(cache, message.conversation_id, (known) => withChangedMessage(known, message))
    if (event.type.startsWith('message.schedule') || message.send_at || event.type === 'message.redacted')
      void cache.invalidateQueries({ queryKey: ['conversations', message.conversation_id, 'scheduled'] })
  })
}
