import type { ReactNode } from 'react'
import styles from './Tag.module.css'

/** The colour of a tag, beside its name. */
export const TagColor = ({ color }: { color: string | null }) => (
  <span className={styles.color} style={color ? { background: color } : undefined} />
)

export const Tag = ({ name, color = null }: { name: ReactNode; color?: string | null }) => (
  <span className={styles.tag}>
    {color && <TagColor color={color} />}
    {name}
  </span>
)
