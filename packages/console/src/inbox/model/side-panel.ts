import { useSyncExternalStore } from 'react'
import { createStore } from '../../browser/store.ts'

const storedAs = 'backline.inbox.details'
const isOpen = createStore(localStorage.getItem(storedAs) !== 'closed')

function set(next: boolean): void {
  localStorage.setItem(storedAs, next ? 'open' : 'closed')
  isOpen.set(next)
}

/** Whether the details stand beside the thread, on screens with the space for it. */
export const useSidePanel = (): [isOpen: boolean, set: (isOpen: boolean) => void] => [
  useSyncExternalStore(isOpen.subscribe, isOpen.get),
  set,
]
