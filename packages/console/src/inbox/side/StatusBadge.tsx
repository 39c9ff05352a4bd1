import type { Conversation } from '@backline/sdk'
import { Badge } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { modelTexts, toneOfStatus } from '../model/texts.ts'

export function StatusBadge({ status }: { status: Conversation['status'] }) {
  const text = useTexts(modelTexts)
  return <Badge tone={toneOfStatus[status]}>{text[status] ?? status}</Badge>
}
