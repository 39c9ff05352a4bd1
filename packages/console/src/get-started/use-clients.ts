import type { Backline } from '@backline/sdk'
import { useMemo } from 'react'
import { clientFor, type EnvironmentName } from '../data/client.ts'
import { grants, type Scope, useEnvironment } from '../data/environment.tsx'
import type { Membership } from '../data/session.ts'

export type Client = {
  name: EnvironmentName
  backline: Backline
  operator: Membership['operator']
  can(scope: Scope): boolean
}

/** The API in each environment in which the person is an operator. */
export function useClients(): Client[] {
  const { name: current, backline, session, renewSession } = useEnvironment()
  return useMemo(
    () =>
      (['live', 'test'] as const).flatMap((name) => {
        const membership = session.environments[name]
        if (!membership) return []
        return {
          name,
          backline: name === current ? backline : clientFor(name, renewSession),
          operator: membership.operator,
          can: (scope: Scope) => grants(membership.scopes, scope),
        }
      }),
    [current, backline, session, renewSession],
  )
}
