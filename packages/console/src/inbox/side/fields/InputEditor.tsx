import type { CustomField } from '@backline/sdk'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { TextField } from '../../../design/Field.tsx'
import { Icon } from '../../../design/Icon.tsx'
import { Quiet, Row } from '../../../design/Layout.tsx'
import { DateField } from '../../../forms/DateField.tsx'
import { fromLocal, toLocal } from '../../../forms/local-time.ts'
import { useTexts } from '../../../texts/language.tsx'
import styles from './Fields.module.css'
import { texts } from './texts.ts'
import type { EditorProps, Value } from './types.ts'
import { useValueTexts } from './value.tsx'

/** A text, number, date, time or URL: shown as text, and typed after a click. */
export function InputEditor({ field, value, isBusy, error, onBegin, onCancel, onSave }: EditorProps) {
  const text = useTexts(texts)
  const describe = useValueTexts()
  const [draft, setDraft] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const show = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(false)
  useEffect(() => {
    if (wasEditing.current && draft === null) show.current?.focus()
    wasEditing.current = draft !== null
  }, [draft])
  function stop() {
    setDraft(null)
    setFault(null)
    onCancel()
  }
  async function submit(typed: string) {
    const given = parse(field, typed.trim())
    if (given === undefined) return setFault(text.notNumber)
    setFault(null)
    if (given === value) return stop()
    if (await onSave(given)) setDraft(null)
  }
  if (draft === null)
    return (
      <>
        <button
          ref={show}
          type="button"
          className={styles.show}
          aria-label={
            value === null ? `${text.add}: ${field.name}` : `${field.name}: ${describe(field, value)}`
          }
          onClick={() => {
            onBegin()
            setDraft(draftOf(field, value))
          }}
        >
          {value === null ? <Quiet>{text.add}</Quiet> : describe(field, value)}
          <Icon name="edit" size={13} />
        </button>
        {field.type === 'url' && typeof value === 'string' && (
          <a className={styles.link} href={value} target="_blank" rel="noopener noreferrer">
            {text.openLink} <Icon name="external" size={12} />
          </a>
        )}
      </>
    )
  const input = {
    label: field.name,
    hideLabel: true,
    className: styles.control,
    autoFocus: true,
    value: draft,
    error: fault ?? error,
    onChange: ({ target }: { target: { value: string } }) => setDraft(target.value),
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void submit(draft)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        stop()
      }}
    >
      {field.type === 'date' || field.type === 'datetime' ? (
        <DateField {...input} hasTime={field.type === 'datetime'} />
      ) : (
        <TextField
          {...input}
          type={field.type === 'url' ? 'url' : 'text'}
          inputMode={field.type === 'number' ? 'decimal' : undefined}
        />
      )}
      <Row gap={1} wraps className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={isBusy}>
          {text.save}
        </Button>
        <Button onClick={stop}>{text.cancel}</Button>
      </Row>
    </form>
  )
}

/** Undefined for what is no value of the type. */
function parse({ type }: CustomField, typed: string): Value | undefined {
  if (typed === '') return null
  if (type === 'datetime') return fromLocal(typed) ?? undefined
  if (type !== 'number') return typed
  const number = Number(typed.replace(',', '.'))
  return Number.isFinite(number) ? number : undefined
}

function draftOf({ type }: CustomField, value: Value): string {
  if (value === null) return ''
  return type === 'datetime' ? toLocal(Date.parse(String(value)), 'second') : String(value)
}
