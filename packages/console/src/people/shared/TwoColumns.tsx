import type { ReactNode } from 'react'
import { Stack } from '../../design/Layout.tsx'
import styles from './TwoColumns.module.css'

/** Facts beside lists; above them where there is little room. */
export const TwoColumns = ({ facts, children }: { facts: ReactNode; children: ReactNode }) => (
  <div className={styles.columns}>
    <div className={styles.facts}>{facts}</div>
    <Stack gap={6}>{children}</Stack>
  </div>
)
