import { useMemo } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'

const limit = 100

export function useOperators() {
  const { backline } = useEnvironment()
  return useAll(['operators'], () => backline.operators.list({ limit }))
}

/** The names of operators and API keys by their ids. */
export function useNames(): Map<string, string> {
  const { backline } = useEnvironment()
  const operators = useOperators()
  const keys = useAll(['api_keys'], () => backline.apiKeys.list({ limit }))
  return useMemo(
    () => new Map([...(operators.data ?? []), ...(keys.data ?? [])].map(({ id, name }) => [id, name])),
    [operators.data, keys.data],
  )
}
