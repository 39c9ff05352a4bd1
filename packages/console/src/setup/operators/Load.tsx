import { classes } from '../../design/classes.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './Operators.module.css'
import { texts } from './texts.ts'

/** The open conversations of a person, against their capacity. */
export function Load({ open, capacity }: { open: number; capacity: number | null }) {
  const text = useTexts(texts)
  if (capacity === null) return <span className={styles.load}>{open}</span>
  const share = capacity === 0 ? 1 : Math.min(1, open / capacity)
  return (
    <span className={styles.load}>
      <span>{text.loadOf(open, capacity)}</span>
      <span className={styles.bar} aria-hidden="true">
        <span
          className={classes(styles.part, share >= 1 && styles.full)}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </span>
    </span>
  )
}
