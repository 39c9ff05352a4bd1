import { useSyncExternalStore } from 'react'
import { createStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

/** A preference of this browser, which all tabs share. The first value holds until another one is chosen. */
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
  return () => [useSyncExternalStore(store.subscribe, store.get), choose] as const
}
