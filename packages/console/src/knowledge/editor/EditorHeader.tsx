import type { KbArticle } from '@backline/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../design/Icon.tsx'
import { Row } from '../../design/Layout.tsx'
import { useTitle } from '../../design/title.ts'
import { useTexts } from '../../texts/language.tsx'
import { StateBadge } from '../shared/StateBadge.tsx'
import { texts as sharedTexts } from '../shared/texts.ts'
import styles from '../shared/Workbench.module.css'
import { texts } from './texts.ts'

export function EditorHeader({ article, children }: { article: KbArticle; children?: ReactNode }) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const title = article.title ?? shared.untitled
  useTitle('page', title)
  return (
    <Row as="header" wraps className={styles.header}>
      <Link href="/articles" className={styles.back}>
        <Icon name="arrowLeft" /> {text.articles}
      </Link>
      <h1 className={styles.name} dir="auto" title={title}>
        {title}
      </h1>
      <StateBadge article={article} />
      <Row justify="end" className={styles.actions}>
        {children}
      </Row>
    </Row>
  )
}
