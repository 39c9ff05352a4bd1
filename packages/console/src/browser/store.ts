/** A value outside of React, for `useSyncExternalStore`. */
export type Store<Value> = {
  get(): Value
  set(value: Value): void
  subscribe(listener: () => void): () => void
}

/** @param follow runs while somebody listens, and returns how to stop */
export function createStore<Value>(initial: Value, follow?: () => () => void): Store<Value> {
  let value = initial
  let stop: (() => void) | undefined
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      if (listeners.size === 1) stop = follow?.()
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop?.()
      }
    },
  }
}
