import type { Conversation } from '@backline/sdk'
import { Badge } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { toneOfStatus, words } from '../model/words.ts'

export function StatusBadge({ status }: { status: Conversation['status'] }) {
  const text = useTexts(words)
  return <Badge tone={toneOfStatus[status]}>{text[status] ?? status}</Badge>
}
