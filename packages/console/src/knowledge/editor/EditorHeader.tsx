import type { KbArticle } from '@backline/sdk'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/language.tsx'
import { StateBadge } from '../shared/StateBadge.tsx'
import { texts as sharedTexts } from '../shared/texts.ts'
import { WorkbenchHeader } from '../shared/WorkbenchHeader.tsx'
import { texts } from './texts.ts'

export function EditorHeader({ article, children }: { article: KbArticle; children?: ReactNode }) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  return (
    <WorkbenchHeader
      title={article.title ?? shared.untitled}
      list={{ href: '/articles', label: text.articles }}
      badge={<StateBadge article={article} />}
    >
      {children}
    </WorkbenchHeader>
  )
}
