import { useSyncExternalStore } from 'react'
import { useEnvironment } from './environment.tsx'

const everyMs = 10_000
let nowMs = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!timer) {
    nowMs = Date.now() // React reads it again after this call
    timer = setInterval(() => {
      nowMs = Date.now()
      for (const each of listeners) each()
    }, everyMs)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** Real time in Unix milliseconds, renewed every ten seconds. */
export const useRealNow = (): number => useSyncExternalStore(subscribe, () => nowMs)

/** The time of the environment in Unix milliseconds, renewed every ten seconds. */
export function useNow(): number {
  const { clockOffsetMs } = useEnvironment()
  return useRealNow() + clockOffsetMs
}

/** The same at the moment of a click. */
export function useClock(): () => number {
  const { clockOffsetMs } = useEnvironment()
  return () => Date.now() + clockOffsetMs
}
