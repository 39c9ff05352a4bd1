import type { AuditEntry } from '@backline/sdk'
import { useTexts } from '../../texts/language.tsx'
import { useActorName } from '../shared/actor-names.ts'
import { LogCode, LogLink, LogName } from '../shared/LogLink.tsx'
import styles from './AuditLog.module.css'
import { texts } from './texts.ts'

type EntriesProps = {
  entries: AuditEntry[]
  openId: string | undefined
  pathOf(entry: AuditEntry): string
}

export function AuditEntries({ entries, openId, pathOf }: EntriesProps) {
  const text = useTexts(texts)
  const nameOf = useActorName()
  return (
    <ul aria-label={text.title}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <LogLink
            href={pathOf(entry)}
            isOpen={entry.id === openId}
            at={entry.created_at}
            className={styles.entry}
          >
            <LogName>{entry.action}</LogName>
            <span>{nameOf(entry.actor)}</span>
            <LogCode className={styles.target}>{entry.target.id}</LogCode>
          </LogLink>
        </li>
      ))}
    </ul>
  )
}
