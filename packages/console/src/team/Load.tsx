import type { ReactNode } from 'react'
import { classes } from '../design/classes.ts'
import { useTexts } from '../texts/language.tsx'
import styles from './Team.module.css'
import { texts } from './texts.ts'

type LoadProps = {
  open: number
  capacity: number | null
  /** Shows the number of open ones. */
  children?: ReactNode
}

/** The open conversations of a person, against their capacity. */
export function Load({ open, capacity, children = open }: LoadProps) {
  const text = useTexts(texts)
  if (capacity === null) return <span className={styles.load}>{children}</span>
  const share = capacity === 0 ? 1 : Math.min(1, open / capacity)
  return (
    <span className={styles.load}>
      <span>
        {children} {text.ofCapacity(capacity)}
      </span>
      <span className={styles.bar} aria-hidden="true">
        <span
          className={classes(styles.part, share >= 1 && styles.full)}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </span>
    </span>
  )
}
