import type { ReactNode } from 'react'
import { classes } from '../design/classes.ts'
import { Icon, type IconName } from '../design/Icon.tsx'
import { Quiet, Row, Stack } from '../design/Layout.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './GetStarted.module.css'
import { texts } from './texts.ts'

type StepProps = {
  icon: IconName
  title: string
  hint: string
  isDone?: boolean
  /** How it stands. */
  state?: ReactNode
  /** The buttons and links that do it. */
  children?: ReactNode
}

/** One of the first steps, with a mark once it is done. */
export function Step({ icon, title, hint, isDone = false, state, children }: StepProps) {
  const text = useTexts(texts)
  return (
    <li className={classes(styles.step, isDone && styles.done)}>
      <span className={styles.mark}>
        <Icon name={isDone ? 'check' : icon} size={18} />
      </span>
      <Stack>
        <h2>
          {title}
          {isDone && <span className="visually-hidden"> ({text.done})</span>}
        </h2>
        <Quiet as="p">{hint}</Quiet>
        {state && <p role="status">{state}</p>}
        {children && <Row wraps>{children}</Row>}
      </Stack>
    </li>
  )
}
