import type { Actor } from '@backline/sdk'
import { useMemo } from 'react'
import { useEveryOperator } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { useTexts } from '../../texts/language.tsx'
import { shortId } from './ids.ts'
import { texts } from './texts.ts'

/** The names of operators and API keys by their ids. */
export function useActorNames(): Map<string, string> {
  const { backline } = useEnvironment()
  const operators = useEveryOperator()
  const keys = useAll(['api_keys'], () => backline.apiKeys.list({ limit: 100 }))
  return useMemo(
    () => new Map([...(operators.data ?? []), ...(keys.data ?? [])].map(({ id, name }) => [id, name])),
    [operators.data, keys.data],
  )
}

/** Names the actor of a change, by id if it has no name. */
export function useActorName(): (actor: Actor) => string {
  const text = useTexts(texts)
  const names = useActorNames()
  const nameOf = (id: string) => names.get(id) ?? shortId(id)
  return ({ type, id, operator_id: operatorId }) => {
    if (id === null) return text.system
    if (type === 'end_user') return `${text.endUser} ${nameOf(id)}`
    if (type === 'api_key' && operatorId !== null) return `${nameOf(id)} ${text.onBehalf(nameOf(operatorId))}`
    return nameOf(id)
  }
}
