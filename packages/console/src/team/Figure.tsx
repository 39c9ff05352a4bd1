import type { FilterTree, ViewCountGroup } from '@backline/sdk'
import { Link } from 'wouter'
import { useInboxPath } from '../app/area-paths.ts'
import { useNow } from '../data/now.ts'
import { classes } from '../design/classes.ts'
import { Quiet } from '../design/Layout.tsx'
import { useFormats } from '../texts/formats.ts'
import { useTexts } from '../texts/language.tsx'
import { minutesSince } from './figures.ts'
import styles from './Team.module.css'
import { texts } from './texts.ts'

type FigureProps = {
  /** Says what is counted, and of whom. */
  label: string
  found: Pick<ViewCountGroup, 'count' | 'waiting_since'> | undefined
  conditions: readonly FilterTree[]
  shows?: 'count' | 'wait'
  isBad?: boolean
}

/** A number of conversations, as a link to them, or how long the first of them has waited. */
export function Figure({ label, found, conditions, shows = 'count', isBad = false }: FigureProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const nowMs = useNow()
  const inboxPath = useInboxPath()
  if (!found?.count) return <Quiet>{found && shows === 'count' ? '0' : '–'}</Quiet>
  const count = formats.number(found.count)
  const wait = found.waiting_since ? formats.duration(minutesSince(found.waiting_since, nowMs)) : '–'
  const shown = shows === 'count' ? count : text.waitingCount(wait, count)
  return (
    <Link
      href={inboxPath(conditions)}
      className={classes(styles.figure, isBad && styles.late)}
      aria-label={`${shown}, ${label}`}
    >
      {shown}
    </Link>
  )
}
