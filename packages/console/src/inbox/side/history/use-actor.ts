import type { Actor } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEveryOperator } from '../../../data/configuration.ts'
import { useEnvironment } from '../../../data/environment.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { texts } from '../../events/texts.ts'
import { nameOfEndUser, useEndUserQuery } from '../../model/people.ts'

/** The name of whoever made a change. */
export function useActor({ type, id, operator_id }: Actor): string {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  const { data: operators } = useEveryOperator()
  const personId = type === 'end_user' && can('end_users:read') ? id : null
  const { data: person } = useQuery(useEndUserQuery()(personId))
  const operator = operators?.find((each) => each.id === (operator_id ?? id))
  if (operator) return operator.name
  if (type === 'end_user') return (person && nameOfEndUser(person)) ?? text.endUser
  return { api_key: text.api, operator: text.operator, mailbox: text.mailbox, system: text.system }[type]
}
