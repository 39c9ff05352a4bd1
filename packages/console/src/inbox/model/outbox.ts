import type { Attachment, Conversation, CreateMessageBody } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { unsentKey } from '../../data/unsent.ts'
import { reasonOf } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { defineTexts } from '../../texts/define.ts'
import { useTexts } from '../../texts/language.tsx'
import { putMessage } from './messages.ts'

const texts = defineTexts({
  elsewhere: { en: 'Sent in a new conversation', de: 'In einer neuen Konversation gesendet' },
  openIt: { en: 'Open it', de: 'Öffnen' },
})

/** A message on its way to the server. Its key stays the same until it has arrived, so that it is written once. */
export type Outgoing = {
  key: string
  conversationId: string
  body: CreateMessageBody
  attachments: Attachment[]
  createdAt: string
  state: 'sending' | 'failed'
  /** Why it failed, in words. Null after a reload of the page: nobody knows whether it arrived. */
  reason: string | null
}

type Store = {
  all(): Outgoing[]
  subscribe(listener: () => void): () => void
  put(outgoing: Outgoing): void
  remove(key: string | null): void
}

const stores = new Map<string, Store>()

/** The messages of an operator that have not arrived. They survive a reload of the page. */
function outboxAt(storedAs: string): Store {
  const known = stores.get(storedAs)
  if (known) return known
  const listeners = new Set<() => void>()
  let all: Outgoing[] = read(storedAs).map((each) => ({ ...each, state: 'failed' }))
  const set = (next: Outgoing[]) => {
    all = next
    if (all.length === 0) localStorage.removeItem(storedAs)
    else localStorage.setItem(storedAs, JSON.stringify(all))
    for (const listener of listeners) listener()
  }
  const store: Store = {
    all: () => all,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    put: (outgoing) => set([...all.filter(({ key }) => key !== outgoing.key), outgoing]),
    remove(key) {
      if (all.some((each) => each.key === key)) set(all.filter((each) => each.key !== key))
    },
  }
  stores.set(storedAs, store)
  return store
}

function read(storedAs: string): Outgoing[] {
  try {
    return JSON.parse(localStorage.getItem(storedAs) ?? '[]')
  } catch {
    return []
  }
}

const useStore = (): Store => outboxAt(unsentKey(useEnvironment(), 'outbox'))

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
      store.put({ ...outgoing, state: 'failed', reason: reasonOf(error) })
    }
  }
  return {
    /** Shows the message at once and sends it. */
    send(conversation: Conversation, body: CreateMessageBody, attachments: Attachment[]): void {
      const createdAt = new Date().toISOString()
      const outgoing = { conversationId: conversation.id, body, attachments, createdAt, reason: null }
      void deliver({ ...outgoing, key: crypto.randomUUID(), state: 'sending' })
    },
    retry: (outgoing: Outgoing) => void deliver(outgoing),
    remove: (key: string | null) => store.remove(key),
  }
}
