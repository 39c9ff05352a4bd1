import type { Conversation } from '@backline/sdk'
import { Badge, type Tone } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

const tones: Record<Conversation['status'], Tone> = {
  new: 'info',
  open: 'info',
  pending: 'neutral',
  on_hold: 'warn',
  resolved: 'good',
  closed: 'neutral',
}

export function StatusBadge({ status }: { status: Conversation['status'] }) {
  const text = useTexts(texts)
  const label = status === 'open' ? text.openStatus : text[status]
  return <Badge tone={tones[status]}>{label ?? status}</Badge>
}
