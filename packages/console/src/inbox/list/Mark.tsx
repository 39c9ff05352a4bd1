import type { Conversation } from '@backline/sdk'
import { memo, useRef } from 'react'
import { classes } from '../../design/classes.ts'
import { useTexts } from '../../texts/language.tsx'
import { nameOfPerson } from '../model/people.ts'
import { modelTexts } from '../model/texts.ts'
import { texts } from '../texts.ts'
import styles from './List.module.css'

type MarkProps = {
  conversation: Conversation
  isChecked: boolean
  /** Something is selected: all rows show that they can be. */
  isShown: boolean
  isFocused: boolean
  onSelect(id: string, isRange: boolean): void
}

/** The check box of a row. With the shift key, it selects all rows from the last one. */
export const Mark = memo(function Mark({ conversation, isChecked, isShown, isFocused, onSelect }: MarkProps) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const { id, subject } = conversation
  const isRange = useRef(false)
  return (
    <label className={classes(styles.mark, isShown && styles.shown)}>
      <input
        type="checkbox"
        aria-label={text.selectNamed(subject ?? nameOfPerson(conversation) ?? shared.visitor)}
        tabIndex={isFocused ? 0 : -1}
        checked={isChecked}
        onClick={(event) => (isRange.current = event.shiftKey)}
        onChange={() => onSelect(id, isRange.current)}
      />
    </label>
  )
})
