import { readStored, writeStored } from './stored.ts'

/*
 * When the person last did something in any of the tabs. Input events are enough for it: nobody has to allow anything.
 */

const name = 'backline.last_input'
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
/** Later input is not noted before. */
const noteEveryMs = 10_000

/** Without storage, the input in this tab. */
let notedMs = 0

/** Unix milliseconds, up to ten seconds behind the last input. */
export const lastInputMs = (): number => Number(readStored(name)) || notedMs

/**
 * Notes the input in this tab; opening it is input.
 * @param onChange called when input was noted, also in another tab
 * @returns stops noting
 */
export function followInput(onChange: () => void): () => void {
  const note = () => {
    const nowMs = Date.now()
    const lastMs = lastInputMs()
    // A clock that was set back has left a time in the future.
    if (nowMs >= lastMs && nowMs - lastMs < noteEveryMs) return
    notedMs = nowMs
    writeStored(name, String(nowMs))
    onChange()
  }
  const changed = (event: StorageEvent) => event.key === name && onChange()
  const options = { capture: true, passive: true }
  for (const input of inputs) addEventListener(input, note, options)
  addEventListener('storage', changed)
  note()
  return () => {
    for (const input of inputs) removeEventListener(input, note, options)
    removeEventListener('storage', changed)
  }
}
