import { IconButton } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './Side.module.css'
import { texts } from './texts.ts'
import { useCopy } from './use-copy.ts'

/** A value with a button that copies it. */
export function Copied({ value, what, isCode = false }: { value: string; what: string; isCode?: boolean }) {
  const text = useTexts(texts)
  const copy = useCopy()
  return (
    <span className={styles.copied}>
      <span className={classes(isCode && styles.mono)}>{value}</span>
      <IconButton icon="copy" label={text.copy(what)} className={styles.small} onClick={() => copy(value)} />
    </span>
  )
}
