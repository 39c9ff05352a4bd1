import { useEffect } from 'react'
import { useIsVisible } from '../browser/visible.ts'

/*
 * A tab that has a conversation in front holds a lock with its name, which the other tabs see.
 */

const nameOf = (conversationId: string): string => `backline.shown.${conversationId}`

const idIn = (path: string): string | undefined => /conv_[0-9a-z]{26}/.exec(path)?.[0]

/** Says which conversation this tab shows, by the address of the page. */
export function useShown(path: string): void {
  const id = idIn(path)
  const isVisible = useIsVisible()
  useEffect(() => {
    if (!id || !isVisible || !('locks' in navigator)) return
    const shown = new AbortController()
    const { signal } = shown
    const untilLeft = () => new Promise<void>((release) => signal.addEventListener('abort', () => release()))
    navigator.locks.request(nameOf(id), { mode: 'shared', signal }, untilLeft).catch(() => undefined) // left at once
    return () => shown.abort()
  }, [id, isVisible])
}

/** Whether a tab of this browser has the conversation in front. */
export async function isShown(conversationId: string): Promise<boolean> {
  if (!('locks' in navigator)) return !document.hidden && idIn(location.pathname) === conversationId
  const { held } = await navigator.locks.query()
  return held?.some(({ name }) => name === nameOf(conversationId)) ?? false
}
