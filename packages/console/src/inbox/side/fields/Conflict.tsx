import { Button } from '../../../design/Button.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { texts } from '../texts.ts'
import styles from './Fields.module.css'

/** Somebody changed the field while this person edited it. */
export function Conflict({ now, onOverwrite }: { now: string; onOverwrite(): void }) {
  const text = useTexts(texts)
  return (
    <div className={styles.conflict} role="alert">
      {text.changedMeanwhile(now)}
      <div className={styles.buttons}>
        <Button onClick={onOverwrite}>{text.overwrite}</Button>
      </div>
    </div>
  )
}
