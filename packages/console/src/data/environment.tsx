import type { ApiKey, Backline } from '@backline/sdk'
import { notifyManager, QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useMemo } from 'react'
import { clientFor, type EnvironmentName } from './client.ts'
import { LiveProvider } from './live.tsx'
import type { Membership, Session } from './session.ts'

// Answers are drawn at once. By default they wait for a timer.
notifyManager.setScheduler(queueMicrotask)

export type Scope = ApiKey['scopes'][number]

export type Environment = {
  name: EnvironmentName
  session: Session
  operator: Membership['operator']
  /** How far the clock of the environment is ahead of real time. */
  clockOffsetMs: number
  /** Asks the server for the session again, after a change of what it holds, such as the clock. */
  renewSession(): void
  /** The API, as this operator. */
  backline: Backline
  /** False if the role lacks a scope, such as `macros:write`: the server would refuse. */
  can(scope: Scope): boolean
}

const Current = createContext<Environment | null>(null)

/** As the server decides: write access does not imply read access. */
export const grants = (scopes: string[], scope: Scope): boolean =>
  ['*', `*:${scope.split(':')[1]}`, scope].some((each) => scopes.includes(each))

type ProviderProps = { name: EnvironmentName; session: Session; membership: Membership; children: ReactNode }

/** Everything below belongs to one environment, with a cache and a stream of its own. */
export function EnvironmentProvider({ name, session, membership, children }: ProviderProps) {
  const sessions = useQueryClient()
  const renewSession = useCallback(
    () => void sessions.invalidateQueries({ queryKey: ['session'] }),
    [sessions],
  )
  const backline = useMemo(() => clientFor(name, renewSession), [name, renewSession])
  const cache = useMemo(
    () =>
      new QueryClient({
        defaultOptions: { queries: { staleTime: 30_000, retry: false, refetchOnWindowFocus: false } },
      }),
    [],
  )
  const environment = useMemo(
    () => ({
      name,
      session,
      operator: membership.operator,
      clockOffsetMs: membership.clock_offset_ms,
      renewSession,
      backline,
      can: (scope: Scope) => grants(membership.scopes, scope),
    }),
    [name, session, membership, renewSession, backline],
  )
  return (
    <Current.Provider value={environment}>
      <QueryClientProvider client={cache}>
        <LiveProvider
          name={`backline.stream.1.${membership.session_id}`}
          backline={backline}
          onSignedOut={renewSession}
        >
          {children}
        </LiveProvider>
      </QueryClientProvider>
    </Current.Provider>
  )
}

export function useEnvironment(): Environment {
  const environment = useContext(Current)
  if (!environment) throw new Error('useEnvironment is called outside of an EnvironmentProvider')
  return environment
}
