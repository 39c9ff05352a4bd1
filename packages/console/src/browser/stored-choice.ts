import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

/**
 * A choice that each browser stores for itself, the same in all of its tabs.
 * @param values the first one is chosen until a person chooses
 */
export function storedChoice<Value extends string>(name: string, values: readonly [Value, ...Value[]]) {
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
  const use = () => [useSyncExternalStore(store.subscribe, store.get), choose] as const
  return Object.assign(use, { read })
}
