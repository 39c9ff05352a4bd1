import { useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { TextField } from '../../design/Field.tsx'
import { Popover } from '../../design/Popover.tsx'
import { useTexts } from '../../texts/language.tsx'
import { EventTypePicker } from '../shared/EventTypePicker.tsx'
import styles from './EventFilters.module.css'
import { isConversationId, isId } from './filters.ts'
import { texts } from './texts.ts'

type Values = Record<'types' | 'resource' | 'conversation' | 'q', string>

export function EventFilters({
  values,
  onChange,
}: {
  values: Values
  onChange(changed: Partial<Values>): void
}) {
  const text = useTexts(texts)
  return (
    <>
      <TypesFilter value={values.types} onChange={(types) => onChange({ types })} />
      <TextField
        label={text.resource}
        hideLabel
        placeholder={text.resource}
        value={values.resource}
        spellCheck={false}
        error={values.resource === '' || isId(values.resource) ? null : text.noId}
        onChange={(event) => onChange({ resource: event.target.value.trim() })}
      />
      <TextField
        label={text.conversation}
        hideLabel
        placeholder={text.conversation}
        value={values.conversation}
        spellCheck={false}
        error={
          values.conversation === '' || isConversationId(values.conversation) ? null : text.noConversationId
        }
        onChange={(event) => onChange({ conversation: event.target.value.trim() })}
      />
      <TextField
        label={text.search}
        hideLabel
        placeholder={text.search}
        type="search"
        value={values.q}
        onChange={(event) => onChange({ q: event.target.value })}
      />
    </>
  )
}

/** Chooses types, of which none means all. The value has them separated by commas. */
export function TypesFilter({ value, onChange }: { value: string; onChange(value: string): void }) {
  const text = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const chosen = value === '' ? [] : value.split(',')
  const label =
    chosen.length === 0 ? text.allTypes : chosen.length === 1 ? chosen[0] : text.typesChosen(chosen.length)
  return (
    <Popover
      title={text.types}
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button icon="filter" className={styles.types} aria-label={`${text.types}: ${label}`}>
          {label}
        </Button>
      }
    >
      <EventTypePicker
        label={text.types}
        value={chosen}
        onChange={(types) => onChange(types.includes('*') ? '' : types.join(','))}
      />
    </Popover>
  )
}
