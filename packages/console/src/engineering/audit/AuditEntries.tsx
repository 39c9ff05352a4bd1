import type { AuditEntry } from '@backline/sdk'
import { Link } from 'wouter'
import { classes } from '../../design/classes.ts'
import { useTexts } from '../../texts/language.tsx'
import { useActorName } from '../shared/actor-names.ts'
import { useEnvironmentNow } from '../shared/clock.ts'
import { useLogTime } from '../shared/Times.tsx'
import styles from './AuditLog.module.css'
import { texts } from './texts.ts'

type EntriesProps = {
  entries: AuditEntry[]
  openId: string | undefined
  pathOf(entry: AuditEntry): string
}

export function AuditEntries({ entries, openId, pathOf }: EntriesProps) {
  const text = useTexts(texts)
  const timeOf = useLogTime()
  const nowMs = useEnvironmentNow()
  const nameOf = useActorName()
  return (
    <ul aria-label={text.title}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <Link
            href={pathOf(entry)}
            className={classes(styles.link, entry.id === openId && styles.open)}
            aria-current={entry.id === openId ? 'true' : undefined}
          >
            <time dateTime={entry.created_at} className={classes(styles.mono, styles.time)}>
              {timeOf(entry.created_at, nowMs)}
            </time>
            <span className={styles.action}>{entry.action}</span>
            <span>{nameOf(entry.actor)}</span>
            <span className={classes(styles.mono, styles.target)}>{entry.target.id}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
