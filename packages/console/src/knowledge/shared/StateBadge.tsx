import type { KbArticleSummary } from '@backline/sdk'
import { useNow } from '../../data/now.ts'
import { Badge } from '../../design/Badge.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { stateOf, tones } from './articles.ts'
import { texts } from './texts.ts'

export function StateBadge({ article }: { article: KbArticleSummary }) {
  const text = useTexts(texts)
  const formats = useFormats()
  const nowMs = useNow()
  const state = stateOf(article)
  const when = article.publish_at ? ` · ${formats.relative(article.publish_at, nowMs)}` : ''
  return (
    <Badge tone={tones[state]}>
      {text[state]}
      {state === 'scheduled' && when}
    </Badge>
  )
}
