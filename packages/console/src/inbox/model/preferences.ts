import { useSyncExternalStore } from 'react'
import { createStore } from '../../browser/store.ts'
import { readStored, writeStored } from '../../browser/stored.ts'

/* How a person likes to work. Each browser has preferences of its own. */

function storedChoice<Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
  const read = () => values.find((each) => each === readStored(name)) ?? values[0]
  const store = createStore(read(), () => {
    const changed = () => store.set(read())
    addEventListener('storage', changed)
    return () => removeEventListener('storage', changed)
  })
  const choose = (value: Value) => {
    writeStored(name, value)
    store.set(value)
  }
  return () => [useSyncExternalStore(store.subscribe, store.get), choose] as const
}

/** The page after a conversation is resolved or put on hold: the next one of the list, the same, or the list. */
export const afterDone = ['next', 'stay', 'list'] as const
export type AfterDone = (typeof afterDone)[number]

export const useAfterDone = storedChoice<AfterDone>('backline.after_done', afterDone)

/** Whether a message waits for a moment in which it can be taken back. */
export const useSendDelay = storedChoice<'on' | 'off'>('backline.send_delay', ['on', 'off'])
