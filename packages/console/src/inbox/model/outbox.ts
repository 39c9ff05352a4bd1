import { ApiError, type Attachment, type Conversation, type CreateMessageBody } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { unsentKey } from '../../data/unsent.ts'
import { reasonOf } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { defineTexts } from '../../texts/define.ts'
import { useTexts } from '../../texts/language.tsx'
import { putMessage } from './messages.ts'
import { type OutboxStore, type Outgoing, outboxAt } from './outbox-store.ts'

const texts = defineTexts({
  elsewhere: { en: 'Sent in a new conversation', de: 'In einer neuen Konversation gesendet' },
  openIt: { en: 'Open it', de: 'Öffnen' },
})

/** The server keeps idempotency keys for at least this time: a message can be sent again without a second copy. */
const keptMs = 86_400_000

const useStore = (): OutboxStore => outboxAt(unsentKey(useEnvironment(), 'outbox.'))

export function useOutbox(conversationId: string): Outgoing[] {
  const store = useStore()
  const all = useSyncExternalStore(store.subscribe, store.all)
  return all.filter((each) => each.conversationId === conversationId)
}

export function useSending() {
  const store = useStore()
  const cache = useQueryClient()
  const text = useTexts(texts)
  const toast = useToast()
  const [, navigate] = useLocation()
  const { backline } = useEnvironment()
  async function deliver(outgoing: Outgoing): Promise<void> {
    const { conversationId, key, body } = outgoing
    store.put({ ...outgoing, state: 'sending', reason: null })
    try {
      const message = await backline.conversations.messages.create(conversationId, body, {
        idempotencyKey: key,
      })
      if (message.conversation_id !== conversationId)
        toast.done({
          title: text.elsewhere,
          action: { label: text.openIt, run: () => navigate(`/all/${message.conversation_id}`) },
        })
      if (message.status === 'sent') putMessage(cache, message)
      else await cache.invalidateQueries({ queryKey: ['conversations', conversationId, 'scheduled'] })
      store.remove(key)
    } catch (error) {
      // An event or another tab may have told that it arrived.
      if (store.has(key))
        store.put({ ...outgoing, state: isRefusal(error) ? 'failed' : 'unknown', reason: reasonOf(error) })
    }
  }
  return {
    /** Shows the message at once and sends it. */
    send(conversation: Conversation, body: CreateMessageBody, attachments: Attachment[]): void {
      const createdAt = new Date().toISOString()
      const outgoing = { conversationId: conversation.id, body, attachments, createdAt, reason: null }
      void deliver({ ...outgoing, key: crypto.randomUUID(), state: 'sending' })
    },
    retry: (outgoing: Outgoing) => deliver(outgoing),
    remove: (key: string | null) => store.remove(key),
  }
}

/**
 * Sends what was on its way when the page was left, once and in order. The keys are the same, so that no message that
 * has arrived is written again. Refused ones wait for the person, and so do those that are too old.
 */
export function useSendEarlier(): void {
  const store = useStore()
  const { retry } = useSending()
  const run = async () => {
    const unanswered = store.takeEarlier().filter(({ key, state }) => state !== 'failed' && store.has(key))
    for (const outgoing of unanswered) store.put({ ...outgoing, state: 'unknown' })
    for (const outgoing of unanswered)
      if (store.has(outgoing.key) && Date.now() - Date.parse(outgoing.createdAt) < keptMs)
        await retry(outgoing)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: Once for each store; the rest are its helpers.
  useEffect(() => void run(), [store])
}

/**
 * Whether the server has read a message and refused it. Other failures, such as the end of the session, say nothing
 * about an attempt before, whose answer may have been lost.
 */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status < 500 &&
  ![401, 429].includes(error.status) &&
  error.code !== 'idempotency_key_in_use'
