import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { EnvironmentName } from '../data/client.ts'
import type { Session } from '../data/session.ts'
import { noteSession, takeArrival } from '../sign-in/arrival.ts'

const storedAs = 'backline.environment'

const isName = (text: string | null | undefined): text is EnvironmentName =>
  text === 'live' || text === 'test'

/**
 * The environment that the address names, `/live/…` or `/test/…`; `isClosed` without an operator in it. Another address
 * leads to where somebody arrives who has just signed in, or to the environment that was open last. `name` is null
 * without an operator in any environment.
 */
export function useEnvironmentName(session: Session | null): {
  name: EnvironmentName | null
  isClosed: boolean
} {
  const [path, navigate] = useLocation()
  const [, first] = path.split('/')
  const isOpen = (name: string | null | undefined): name is EnvironmentName =>
    isName(name) && session?.environments[name] != null
  const named = isOpen(first) ? first : null
  const isClosed = isName(first) && named === null
  const fallback = [localStorage.getItem(storedAs), 'live', 'test'].find(isOpen) ?? null
  useEffect(() => {
    if (!session) return
    noteSession(true)
    if (named) localStorage.setItem(storedAs, named)
    else if (fallback && !isClosed)
      navigate(takeArrival(session, fallback) ?? `/${fallback}/inbox`, { replace: true })
  }, [session, named, fallback, isClosed, navigate])
  return { name: named ?? fallback, isClosed }
}
