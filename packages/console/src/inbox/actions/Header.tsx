import type { Conversation } from '@backline/sdk'
import { useLocation } from 'wouter'
import { useNow } from '../../data/now.ts'
import { Badge } from '../../design/Badge.tsx'
import { IconButton } from '../../design/Button.tsx'
import { useTexts } from '../../texts/language.tsx'
import { DueText } from '../model/DueText.tsx'
import { nameOfPerson } from '../model/people.ts'
import { useSidePanel } from '../model/side-panel.ts'
import { toneOfStatus, words } from '../model/words.ts'
import { texts } from '../texts.ts'
import styles from './Header.module.css'

type HeaderProps = { conversation: Conversation; href: string; backHref: string; isWide: boolean }

export function Header({ conversation, href, backHref, isWide }: HeaderProps) {
  const text = useTexts(texts)
  const word = useTexts(words)
  const nowMs = useNow()
  const [, navigate] = useLocation()
  const [isSideOpen, setSideOpen] = useSidePanel()
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <IconButton
          icon="arrowLeft"
          label={text.back}
          className={styles.back}
          onClick={() => navigate(backHref)}
        />
        <div className={styles.title}>
          <h2>{conversation.subject ?? text.noSubject}</h2>
          <span>{nameOfPerson(conversation) ?? word.visitor}</span>
        </div>
        <IconButton
          icon="user"
          label={text.details}
          aria-expanded={isWide ? isSideOpen : undefined}
          onClick={() => (isWide ? setSideOpen(!isSideOpen) : navigate(detailsOf(href)))}
        />
      </div>
      <div className={styles.line}>
        <Badge tone={toneOfStatus[conversation.status]}>{word[conversation.status]}</Badge>
        <DueText conversation={conversation} nowMs={nowMs} />
      </div>
    </header>
  )
}

const detailsOf = (href: string): string => href.replace(/(\?|$)/, '/details$1')
