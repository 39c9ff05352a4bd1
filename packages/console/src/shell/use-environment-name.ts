import { useEffect } from 'react'
import { useLocation } from 'wouter'
import type { EnvironmentName } from '../data/client.ts'
import type { Session } from '../data/session.ts'

const storedAs = 'backline.environment'

/**
 * The environment that the address names, `/live/…` or `/test/…`. Another address leads to the one that was open last.
 * Null without an operator in any environment.
 */
export function useEnvironmentName(session: Session | null): EnvironmentName | null {
  const [path, navigate] = useLocation()
  const [, first] = path.split('/')
  const isOpen = (name: string | null | undefined): name is EnvironmentName =>
    (name === 'live' || name === 'test') && session?.environments[name] != null
  const named = isOpen(first) ? first : null
  const fallback = [localStorage.getItem(storedAs), 'live', 'test'].find(isOpen) ?? null
  useEffect(() => {
    if (!session) return
    if (named) localStorage.setItem(storedAs, named)
    else if (fallback) navigate(`/${fallback}/inbox`, { replace: true })
  }, [session, named, fallback, navigate])
  return named ?? fallback
}
