import { useSyncExternalStore } from 'react'
import { useEnvironment } from './environment.tsx'

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

/** The time of the environment in Unix milliseconds, renewed every ten seconds. */
export function useNow(): number {
  const { clockOffsetMs } = useEnvironment()
  return useSyncExternalStore(subscribe, () => nowMs) + clockOffsetMs
}

/** The same at the moment of a click. */
export function useClock(): () => number {
  const { clockOffsetMs } = useEnvironment()
  return () => Date.now() + clockOffsetMs
}
