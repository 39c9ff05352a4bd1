import { ApiError, ConnectionError } from '@backline/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { type EnvironmentName, environmentHeader, serverUrl } from './client.ts'

/** The session of the browser, as the server answers it. */
export type Session = {
  workspace: { id: string; name: string }
  environments: Record<EnvironmentName, Membership | null>
  version: string
  public_url: string
  /** The pauses before the second and later attempts of a webhook delivery. */
  webhook_retry_seconds: number[]
}

/** The operator of an environment that the session acts as. */
export type Membership = {
  operator: { id: string; name: string; email: string; role: 'agent' | 'lead' | 'admin' }
  session_id: string
  scopes: string[]
  /** How far the clock of the environment is ahead of real time. */
  clock_offset_ms: number
}

/** Calls a route below `/console/api`. @throws ApiError or ConnectionError */
export async function callConsole<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`${serverUrl}console/api/${path}`, {
    method,
    headers: {
      [environmentHeader]: 'test',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause) => {
    throw new ConnectionError('The server cannot be reached.', { cause })
  })
  const text = await response.text()
  const answer = text === '' ? null : JSON.parse(text)
  if (!response.ok) throw new ApiError(answer, response.headers)
  return answer
}

export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['session'],
  staleTime: 60_000,
  retry: 2,
  queryFn: () =>
    callConsole<Session>('GET', 'session').catch((error) => {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }),
})

/** Null without a session. */
export const useSession = () => useQuery({ ...sessionQuery, refetchInterval: 60_000 }) // somebody may move the clock
