import type { Faq } from '@backline/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../design/Badge.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Row } from '../../design/Layout.tsx'
import { useTitle } from '../../design/title.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from '../shared/Workbench.module.css'
import { stateOf, tones } from './states.ts'
import { texts } from './texts.ts'

export function FaqHeader({ faq, children }: { faq: Faq | null; children?: ReactNode }) {
  const text = useTexts(texts)
  const title = faq?.question ?? text.newFaq
  useTitle('page', title)
  return (
    <Row as="header" wraps className={styles.header}>
      <Link href="/faqs" className={styles.back}>
        <Icon name="arrowLeft" /> {text.faqs}
      </Link>
      <h1 className={styles.name} dir="auto">
        {title}
      </h1>
      {faq && <Badge tone={tones[stateOf(faq)]}>{text[stateOf(faq)]}</Badge>}
      <Row justify="end" className={styles.actions}>
        {children}
      </Row>
    </Row>
  )
}
