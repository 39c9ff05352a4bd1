import type { Actor as ActorValue } from '@backline/sdk'
import { useTexts } from '../../texts/language.tsx'
import { shortId } from './ids.ts'
import { texts } from './texts.ts'

/** Names the actor of a change, by id if it has no name. */
export function useActorName(names: Map<string, string>): (actor: ActorValue) => string {
  const text = useTexts(texts)
  return ({ type, id, operator_id: operatorId }) => {
    if (id === null) return text.system
    const name = names.get(id) ?? shortId(id)
    if (type === 'end_user') return `${text.endUser} ${name}`
    if (type === 'api_key' && operatorId !== null)
      return `${name} ${text.onBehalf(names.get(operatorId) ?? shortId(operatorId))}`
    return name
  }
}
