import type { Faq } from '@backline/sdk'
import type { ReactNode } from 'react'
import { Badge } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { WorkbenchHeader } from '../shared/WorkbenchHeader.tsx'
import { stateOf, tones } from './states.ts'
import { texts } from './texts.ts'

export function FaqHeader({ faq, children }: { faq: Faq | null; children?: ReactNode }) {
  const text = useTexts(texts)
  return (
    <WorkbenchHeader
      title={faq?.question ?? text.newFaq}
      list={{ href: '/faqs', label: text.faqs }}
      badge={faq && <Badge tone={tones[stateOf(faq)]}>{text[stateOf(faq)]}</Badge>}
    >
      {children}
    </WorkbenchHeader>
  )
}
