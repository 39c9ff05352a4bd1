import { type RefObject, useEffect, useSyncExternalStore } from 'react'
import { createStore } from '../../browser/store.ts'

/** Takes the focus: the heading, from which keys are shortcuts, or the text that is written. */
export type Part = 'heading' | 'text'

/** One that was opened meanwhile, such as the command palette, keeps the focus. */
const openDialog = '[role=dialog][data-open]:not([data-type])'

/** The part of a conversation that takes the focus once it is on the page. */
const wanted = createStore<{ id: string; part: Part } | null>(null)

/** The conversation was opened by a key or after another one: what had the focus is gone. */
export const focusOnOpening = (id: string, part: Part = 'heading'): void => wanted.set({ id, part })

/** Gives the element the focus if its conversation was opened so. */
export function useFocusOnOpening(id: string, part: Part, element: RefObject<HTMLElement | null>): void {
  const now = useSyncExternalStore(wanted.subscribe, wanted.get)
  useEffect(() => {
    if (now?.id !== id || now.part !== part) return
    // A dialog that has just been closed gives the focus back first.
    const timer = setTimeout(() => {
      wanted.set(null)
      if (!document.querySelector(openDialog)) element.current?.focus()
    })
    return () => clearTimeout(timer)
  }, [now, id, part, element])
}
