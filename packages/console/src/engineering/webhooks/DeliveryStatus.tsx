import type { WebhookDelivery } from '@backline/sdk'
import { Badge, type Tone } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

const tones: Record<WebhookDelivery['status'], Tone> = { pending: 'warn', succeeded: 'good', failed: 'bad' }

export function DeliveryStatus({ delivery: { status } }: { delivery: WebhookDelivery }) {
  const text = useTexts(texts)
  const words = { pending: text.pending, succeeded: text.succeeded, failed: text.undelivered }
  return <Badge tone={tones[status] ?? 'neutral'}>{words[status] ?? status}</Badge>
}

export type Attempt = WebhookDelivery['attempts'][number]

export const hasSucceeded = ({ response_status: status }: Attempt): boolean =>
  status !== null && status >= 200 && status < 300

/** The result of an attempt in a few words. */
export function useResultOf(): (attempt: Attempt) => string {
  const text = useTexts(texts)
  return ({ response_status: status, error }) =>
    status === null ? (error ?? text.noResponse) : `HTTP ${status}`
}
