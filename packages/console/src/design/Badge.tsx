import type { ReactNode } from 'react'
import styles from './Badge.module.css'
import { classes } from './classes.ts'

export type Tone = 'neutral' | 'info' | 'good' | 'warn' | 'bad'

/** A short word about the state of something. Colour is never all that tells states apart. */
export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={classes(styles.badge, styles[tone])}>{children}</span>
}
