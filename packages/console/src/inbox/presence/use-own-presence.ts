import { useCallback, useEffect, useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useLiveEvents } from '../../data/live.tsx'

const repeatMs = 20_000
/** The time without input after which an operator only looks at the conversation. */
const pausedMs = 30_000

export type OwnPresence = {
  /** Reports that the operator writes a reply, or that there is none any more. */
  report(writes: boolean): void
}

/** Tells colleagues that this operator looks at a conversation, or replies, as long as the page is visible. */
export function useOwnPresence(conversationId: string): OwnPresence {
  const { backline, operator, can } = useEnvironment()
  const isAllowed = can('conversations:write')
  const state = useRef<'viewing' | 'replying'>('viewing')
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined)
  // One after the other, because the last one must arrive last.
  const sent = useRef<Promise<unknown>>(Promise.resolve())
  const tell = useCallback(
    (now: 'viewing' | 'replying' | 'away') => {
      if (!isAllowed) return
      sent.current = sent.current.then(() =>
        backline.conversations.presence
          .update(conversationId, { state: now }, { maxRetries: 0 })
          .catch(() => undefined),
      )
    },
    [backline, conversationId, isAllowed],
  )
  useEffect(() => {
    state.current = 'viewing'
    const repeat = () => !document.hidden && tell(state.current)
    const turn = () => tell(document.hidden ? 'away' : state.current)
    repeat()
    const timer = setInterval(repeat, repeatMs)
    document.addEventListener('visibilitychange', turn)
    return () => {
      clearInterval(timer)
      clearTimeout(pause.current)
      document.removeEventListener('visibilitychange', turn)
      if (!document.hidden) tell('away')
    }
  }, [tell])
  // Another window of this operator was closed.
  useLiveEvents((event) => {
    if (event.type !== 'presence' || document.hidden) return
    const { conversation_id, operator_id, state: told } = event.data
    if (conversation_id === conversationId && operator_id === operator.id && told === 'away')
      tell(state.current)
  })
  const report = useCallback(
    (writes: boolean) => {
      const become = (now: 'viewing' | 'replying') => {
        if (state.current === now) return
        state.current = now
        tell(now)
      }
      clearTimeout(pause.current)
      become(writes ? 'replying' : 'viewing')
      if (writes) pause.current = setTimeout(() => become('viewing'), pausedMs)
    },
    [tell],
  )
  return { report }
}
