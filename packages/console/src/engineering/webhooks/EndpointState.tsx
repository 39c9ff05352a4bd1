import type { WebhookEndpoint } from '@backline/sdk'
import { Badge, type Tone } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type State = WebhookEndpoint['status'] | 'failing'

export const stateOf = ({ status, consecutive_failures: failures }: WebhookEndpoint): State =>
  status === 'enabled' && failures > 0 ? 'failing' : status

const tones: Record<State, Tone> = { enabled: 'good', failing: 'bad', paused: 'warn', disabled: 'bad' }

export function EndpointState({ endpoint }: { endpoint: WebhookEndpoint }) {
  const text = useTexts(texts)
  const state = stateOf(endpoint)
  return <Badge tone={tones[state] ?? 'neutral'}>{text[state] ?? state}</Badge>
}

/** Why an endpoint does not receive everything; null if it does. */
export function useFaultOf(): (endpoint: WebhookEndpoint) => string | null {
  const text = useTexts(texts)
  return ({ status, disabled_reason: reason, consecutive_failures: failures }) => {
    if (status === 'paused') return text.pausedNote
    if (status === 'disabled') return reason === 'gone' ? text.gone : text.failed
    return failures > 0 ? text.failures(failures) : null
  }
}
