import type { ReactNode } from 'react'
import { classes } from '../../design/classes.ts'
import { Row } from '../../design/Layout.tsx'
import { Splitter } from '../../design/Splitter.tsx'
import { useTitle } from '../../design/title.ts'
import styles from './TwoPane.module.css'

type TwoPaneProps = {
  title: string
  actions?: ReactNode
  filters: ReactNode
  /** The opened item, beside the list; in a narrow window in place of it. */
  detail: ReactNode | null
  detailLabel: string
  children: ReactNode
}

/** A page whose list fills the window, with the opened item beside it. */
export function TwoPane({ title, actions, filters, detail, detailLabel, children }: TwoPaneProps) {
  useTitle('page', title)
  return (
    <div className={classes(styles.split, detail != null && styles.opened)}>
      <div className={styles.main}>
        <Row as="header" wraps justify="between" className={styles.header}>
          <h1>{title}</h1>
          <Row wraps className={styles.actions}>
            {actions}
          </Row>
        </Row>
        <Row wraps align="start" className={styles.filters}>
          {filters}
        </Row>
        {children}
        {detail != null && <Splitter name="detail" resizes="next" of={detailLabel} />}
      </div>
      {detail != null && (
        <section className={styles.detail} aria-label={detailLabel}>
          {detail}
        </section>
      )}
    </div>
  )
}
