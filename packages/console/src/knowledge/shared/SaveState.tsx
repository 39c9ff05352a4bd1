import { Button } from '../../design/Button.tsx'
import { Row } from '../../design/Layout.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import type { Snapshot } from './autosave.ts'
import styles from './SaveState.module.css'
import { texts } from './texts.ts'

type SaveStateProps = {
  snapshot: Pick<Snapshot<unknown, unknown>, 'phase' | 'savedAt' | 'error'>
  onCompare(): void
}

/** Says whether the text is safe. */
export function SaveState({ snapshot: { phase, savedAt, error }, onCompare }: SaveStateProps) {
  const text = useTexts(texts)
  const formats = useFormats()
  const words = {
    saved: savedAt ? text.saved(formats.time(savedAt)) : text.allSaved,
    unsaved: text.unsaved,
    saving: text.saving,
    failed: text.notSaved,
    conflict: text.conflict,
  }[phase]
  const isBad = phase === 'failed' || phase === 'conflict'
  return (
    <Row as="small">
      <span
        role="status"
        className={isBad ? styles.bad : undefined}
        title={error ? reasonOf(error) : undefined}
      >
        {words}
      </span>
      {phase === 'conflict' && <Button onClick={onCompare}>{text.compare}</Button>}
    </Row>
  )
}
