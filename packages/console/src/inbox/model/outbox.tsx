import type { Conversation, CreateMessageBody } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
} from 'react'
import { useLocation } from 'wouter'
import { type Courier, Outbox } from '../../browser/outbox.ts'
import type { Outgoing as AnyOutgoing } from '../../browser/outbox-store.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useIsLeading, useIsLive, useLiveEvents } from '../../data/live.tsx'
import { outboxPrefix, unsentKey } from '../../data/unsent.ts'
import { useToast } from '../../design/Toast.tsx'
import { defineTexts } from '../../texts/define.ts'
import { useTexts } from '../../texts/language.tsx'
import { isAnswerOfColleague, putMessage } from './messages.ts'

export type Outgoing = AnyOutgoing<CreateMessageBody>

const texts = defineTexts({
  elsewhere: { en: 'Sent in a new conversation', de: 'In einer neuen Konversation gesendet' },
  openIt: { en: 'Open it', de: 'Öffnen' },
})

const Current = createContext<Outbox<CreateMessageBody> | null>(null)

/** Sends the messages of this operator on all pages of the environment. */
export function OutboxProvider({ children }: { children: ReactNode }) {
  const environment = useEnvironment()
  const { backline, operator } = environment
  const courier = useCourier()
  const latest = useRef(courier)
  useEffect(() => {
    latest.current = courier
  })
  const name = unsentKey(environment, outboxPrefix)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another client is another sign-in.
  const outbox = useMemo(
    () =>
      new Outbox<CreateMessageBody>(name, {
        send: (outgoing) => latest.current.send(outgoing),
        look: (outgoing) => latest.current.look(outgoing),
      }),
    [name, backline],
  )
  useEffect(() => outbox.store.listen(), [outbox])
  useEffect(() => {
    const leave = () => outbox.flush()
    addEventListener('pagehide', leave)
    document.addEventListener('freeze', leave)
    return () => {
      removeEventListener('pagehide', leave)
      document.removeEventListener('freeze', leave)
    }
  }, [outbox])
  const isLeading = useIsLeading()
  const isLive = useIsLive()
  // biome-ignore lint/correctness/useExhaustiveDependencies: A connection that is back is used at once.
  useEffect(() => (isLeading ? outbox.keepSending() : undefined), [outbox, isLeading, isLive])
  useLiveEvents((event) => {
    if (!('request' in event) || !event.type.startsWith('message.')) return
    if (event.request.idempotency_key) outbox.remove(event.request.idempotency_key)
    const message = event.type === 'message.created' && event.data.object
    if (message && isAnswerOfColleague(message, operator.id))
      outbox.hold(message.conversation_id, ({ visibility }) => visibility !== 'internal')
  })
  return <Current.Provider value={outbox}>{children}</Current.Provider>
}

const mostRead = 50
/** The outbox tries again by itself: a person is told sooner that there is no answer. */
const timeoutMs = 15_000

function useCourier(): Courier<CreateMessageBody> {
  const cache = useQueryClient()
  const text = useTexts(texts)
  const toast = useToast()
  const [, navigate] = useLocation()
  const { name, backline, operator } = useEnvironment()
  return {
    async send({ conversationId, key, body }) {
      const message = await backline.conversations.messages.create(conversationId, body, {
        idempotencyKey: key,
        timeoutMs,
      })
      if (message.conversation_id !== conversationId)
        toast.done({
          title: text.elsewhere,
          action: {
            label: text.openIt,
            run: () => navigate(`/${name}/inbox/all/${message.conversation_id}`),
          },
        })
      if (message.status === 'sent') putMessage(cache, message)
      else await cache.invalidateQueries({ queryKey: ['conversations', conversationId, 'scheduled'] })
    },
    async look({ conversationId, body, seenCount }) {
      const { data } = await backline.conversations.messages.list(
        conversationId,
        { sort: '-sequence', limit: mostRead },
        { timeoutMs, maxRetries: 0 },
      )
      const newer = data.filter(({ sequence }) => sequence! > seenCount)
      const own = newer.filter((each) => each.operator_id === operator.id)
      // One that is scheduled, or that goes to a new conversation, is not in this list.
      const isAbsent = own.length === 0 && newer.length < mostRead && !body.send_at && !body.on_closed
      return {
        isAnswered:
          body.visibility !== 'internal' &&
          newer.some((each) => each.operator_id !== operator.id && each.visibility === 'public'),
        hasArrived: own.some((each) => each.body === body.body) || (isAbsent ? false : null),
      }
    },
  }
}

function useOutbox(): Outbox<CreateMessageBody> {
  const outbox = useContext(Current)
  if (!outbox) throw new Error('useOutbox is called outside of an OutboxProvider')
  return outbox
}

function useAll(): Outgoing[] {
  const { store } = useOutbox()
  return useSyncExternalStore(store.subscribe, store.all)
}

export const useOutgoing = (conversationId: string): Outgoing[] =>
  useAll().filter((each) => each.conversationId === conversationId)

/** The number of messages that were not sent, by the ids of their conversations. Those on their way are not counted. */
export function useUnsent(): Map<string, number> {
  const all = useAll()
  return useMemo(() => {
    const counts = new Map<string, number>()
    for (const { conversationId, reason } of all)
      if (reason) counts.set(conversationId, (counts.get(conversationId) ?? 0) + 1)
    return counts
  }, [all])
}

export function useSending() {
  const outbox = useOutbox()
  return {
    /**
     * Shows the message at once and sends it.
     * @param delayMs the time for which it can be taken back
     * @returns its key
     */
    send: (
      { id, message_count }: Conversation,
      body: CreateMessageBody,
      attachments: Outgoing['attachments'],
      delayMs: number,
    ): string => outbox.send({ conversationId: id, body, attachments, seenCount: message_count }, delayMs),
    takeBack: (key: string) => outbox.takeBack(key),
    sendNow: (outgoing: Outgoing, { message_count }: Conversation) => outbox.sendNow(outgoing, message_count),
    remove: (key: string) => outbox.remove(key),
  }
}
