import { useCallback, useEffect, useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'

const reportEveryMs = 4_000
const stoppedMs = 6_000

/** Tells the other side that this operator types: every few seconds, and once at the end. */
export function useTyping(conversationId: string): { report(types: boolean): void; stop(): void } {
  const { backline, can } = useEnvironment()
  const isAllowed = can('conversations:write')
  const reportedMs = useRef(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tell = useCallback(
    (typing: boolean) => {
      if (!isAllowed) return
      reportedMs.current = typing ? Date.now() : 0
      void backline.conversations.typing
        .update(conversationId, { side: 'operator', typing }, { maxRetries: 0 })
        .catch(() => undefined)
    },
    [backline, conversationId, isAllowed],
  )
  const stop = useCallback(() => {
    clearTimeout(timer.current)
    if (reportedMs.current > 0) tell(false)
  }, [tell])
  const report = useCallback(
    (types: boolean) => {
      if (!types) return stop()
      clearTimeout(timer.current)
      timer.current = setTimeout(stop, stoppedMs)
      if (Date.now() - reportedMs.current >= reportEveryMs) tell(true)
    },
    [stop, tell],
  )
  useEffect(() => stop, [stop])
  return { report, stop }
}
