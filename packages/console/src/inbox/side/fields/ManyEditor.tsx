import { useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { Checkbox } from '../../../design/Field.tsx'
import { Icon } from '../../../design/Icon.tsx'
import { Quiet, Row, Stack } from '../../../design/Layout.tsx'
import { Popover } from '../../../design/Popover.tsx'
import { useTexts } from '../../../texts/language.tsx'
import styles from './Fields.module.css'
import { texts } from './texts.ts'
import type { EditorProps } from './types.ts'
import { useValueTexts } from './value.tsx'

/** Any number of options. Saved when the list is closed by its button. */
export function ManyEditor({ field, value, isBusy, error, onBegin, onCancel, onSave }: EditorProps) {
  const text = useTexts(texts)
  const describe = useValueTexts()
  const [draft, setDraft] = useState<string[] | null>(null)
  const present = Array.isArray(value) ? value : []
  function open(isOpen: boolean) {
    if (isOpen) onBegin()
    else onCancel()
    setDraft(isOpen ? present : null)
  }
  async function submit(chosen: string[]) {
    if (await onSave(chosen.length > 0 ? chosen : null)) setDraft(null)
  }
  return (
    <Popover
      title={field.name}
      isOpen={draft !== null}
      onOpenChange={open}
      trigger={
        <button
          type="button"
          className={styles.show}
          aria-label={
            present.length === 0 ? `${text.add}: ${field.name}` : `${field.name}: ${describe(field, value)}`
          }
        >
          {present.length === 0 ? <Quiet>{text.add}</Quiet> : describe(field, value)}
          <Icon name="edit" size={13} />
        </button>
      }
    >
      <Stack as="fieldset" gap={1}>
        <legend className="visually-hidden">{field.name}</legend>
        {field.options
          .filter((option) => !option.archived || present.includes(option.value))
          .map((option) => (
            <Checkbox
              key={option.value}
              label={option.archived ? text.archivedOption(option.label) : option.label}
              checked={draft?.includes(option.value) ?? false}
              onChange={({ target }) =>
                setDraft((all) => [
                  ...(all ?? []).filter((each) => each !== option.value),
                  ...(target.checked ? [option.value] : []),
                ])
              }
            />
          ))}
      </Stack>
      {error && <p role="alert">{error}</p>}
      <Row gap={1} wraps className={styles.buttons}>
        <Button variant="primary" disabled={isBusy} onClick={() => void submit(draft ?? [])}>
          {text.apply}
        </Button>
        <Button onClick={() => open(false)}>{text.cancel}</Button>
      </Row>
    </Popover>
  )
}
