import type { Conversation } from '@backline/sdk'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './DueText.module.css'
import { dueOf } from './sla.ts'
import { modelTexts } from './texts.ts'

type DueTextProps = { conversation: Conversation; nowMs: number; onlyIfUrgent?: boolean }

/** The next SLA deadline in words. */
export function DueText({ conversation, nowMs, onlyIfUrgent = false }: DueTextProps) {
  const shared = useTexts(modelTexts)
  const { relative, duration, moment } = useFormats()
  const due = dueOf(conversation, nowMs)
  if (!due || (onlyIfUrgent && due.state === 'later')) return null
  const late = Math.max(1, Math.floor((nowMs - Date.parse(due.at)) / 60_000)) * 60
  return (
    <span
      className={classes(styles.due, styles[due.state])}
      title={`${shared[due.clock]}: ${moment(due.at)}`}
    >
      <Icon name="clock" size={12} />
      {due.state === 'overdue' ? shared.overdue(duration(late)) : shared.due(relative(due.at, nowMs))}
    </span>
  )
}
