import { useSyncExternalStore } from 'react'

const everyMs = 10_000
let nowMs = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const each of listeners) each()
  }, everyMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The time in Unix milliseconds, renewed every ten seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs)
