import type { EndUser } from '@backline/sdk'
import { Badge } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'

/** Badges of a person who is blocked, merged, erased, or under a legal hold. */
export function Marks({ person: { status, legal_hold } }: { person: EndUser }) {
  const text = useTexts(texts)
  return (
    <>
      {status !== 'active' && <Badge tone={status === 'blocked' ? 'bad' : 'neutral'}>{text[status]}</Badge>}
      {legal_hold && <Badge tone="warn">{text.legalHold}</Badge>}
    </>
  )
}
