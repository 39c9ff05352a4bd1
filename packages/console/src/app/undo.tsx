import { useSyncExternalStore } from 'react'
import { createStore } from '../browser/store.ts'
import { KeyHint } from '../design/KeyHint.tsx'
import { useToast } from '../design/Toast.tsx'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { useCommands } from './commands.tsx'

/** The time for which what a person has done can be undone by a key. */
export const undoMs = 8_000

type UndoOffer = {
  /** Names the change. */
  title: string
  detail?: string | undefined
  undo(): void
}

type Open = UndoOffer & { key: symbol }

/** The newest last. */
const offers = createStore<Open[]>([])

const withdraw = (key: symbol) => offers.set(offers.get().filter((each) => each.key !== key))

/** Offers for a while to undo something: by a message at the corner, and by a key. */
export function useOfferUndo() {
  const text = useTexts(common)
  const toast = useToast()
  /** @param isToast false if the page shows in another place that it can be undone */
  return (offer: UndoOffer, { isToast = true } = {}): void => {
    const key = Symbol(offer.title)
    let close = () => {}
    const undo = () => {
      withdraw(key)
      close()
      offer.undo()
    }
    offers.set([...offers.get(), { ...offer, undo, key }])
    if (!isToast) return void setTimeout(withdraw, undoMs, key)
    close = toast.done({
      title: offer.title,
      detail: offer.detail,
      timeoutMs: undoMs,
      onClosed: () => withdraw(key),
      action: {
        label: (
          <>
            {text.undo} <KeyHint keys={undoKey} />
          </>
        ),
        run: undo,
      },
    })
  }
}

const undoKey = 'z'

/** The key that undoes the last of what can be undone. */
export function useUndoCommand(): void {
  const text = useTexts(common)
  const last = useSyncExternalStore(offers.subscribe, offers.get).at(-1)
  useCommands(
    last
      ? [
          {
            name: 'undo',
            label: text.undoNamed(last.title),
            group: text.actions,
            icon: 'history',
            shortcut: undoKey,
            run: last.undo,
          },
        ]
      : [],
  )
}
