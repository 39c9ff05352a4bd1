import { useSyncExternalStore } from 'react'
import { createStore } from '../browser/store.ts'
import { useEnvironment } from './environment.tsx'

const everyMs = 10_000

const now = createStore(Date.now(), () => {
  const renew = () => now.set(Date.now())
  renew()
  const timer = setInterval(renew, everyMs)
  return () => clearInterval(timer)
})

/** Real time in Unix milliseconds, renewed every ten seconds. */
export const useRealNow = (): number => useSyncExternalStore(now.subscribe, now.get)

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

/** The time of the environment at each rendering: what has just happened is not ahead of it, unlike by `useNow`. */
export function useEnvironmentNow(): number {
  useNow() // renders again as time goes by
  return useClock()()
}
