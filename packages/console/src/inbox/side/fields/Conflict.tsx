import { Button } from '../../../design/Button.tsx'
import { Notice, Row } from '../../../design/Layout.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { texts } from '../texts.ts'
import styles from './Fields.module.css'

/** Somebody changed the field while this person edited it. */
export function Conflict({ now, onOverwrite }: { now: string; onOverwrite(): void }) {
  const text = useTexts(texts)
  return (
    <Notice tone="warn" role="alert">
      {text.changedMeanwhile(now)}
      <Row gap={1} wraps className={styles.buttons}>
        <Button onClick={onOverwrite}>{text.overwrite}</Button>
      </Row>
    </Notice>
  )
}
