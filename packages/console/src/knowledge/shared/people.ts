import type { Actor } from '@backline/sdk'
import { useEveryOperator } from '../../data/configuration.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** The name of whoever made a change. */
export function useActorName(): (actor: Actor) => string {
  const text = useTexts(texts)
  const operators = useEveryOperator().data ?? []
  return ({ type, operator_id }) =>
    operators.find(({ id }) => id === operator_id)?.name ??
    {
      api_key: text.apiKey,
      operator: text.operator,
      end_user: text.endUser,
      mailbox: text.mailbox,
      system: text.system,
    }[type]
}
