import { useSyncExternalStore } from 'react'

const storedAs = 'backline.inbox.details'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the details stand beside the thread, on screens with the space for it. */
export function useSidePanel(): [isOpen: boolean, set: (isOpen: boolean) => void] {
  const isOpen = useSyncExternalStore(subscribe, () => localStorage.getItem(storedAs) !== 'closed')
  return [
    isOpen,
    (next) => {
      localStorage.setItem(storedAs, next ? 'open' : 'closed')
      for (const listener of listeners) listener()
    },
  ]
}
