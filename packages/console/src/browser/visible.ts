import { useSyncExternalStore } from 'react'

/** Whether the tab is in front. */
export const useIsVisible = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      document.addEventListener('visibilitychange', changed)
      return () => document.removeEventListener('visibilitychange', changed)
    },
    () => !document.hidden,
  )
