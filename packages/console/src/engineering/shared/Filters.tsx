import { useId } from 'react'
import { TextField } from '../../design/Field.tsx'
import { DateField } from '../../forms/DateField.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useActorNames } from './actor-names.ts'
import styles from './Filters.module.css'
import { texts } from './texts.ts'

type ActorProps = {
  label: string
  placeholder: string
  value: string
  error: string | null
  onChange(value: string): void
}

/** The id of an operator or a key, of which those with names are offered. */
export function ActorFilter({ onChange, ...field }: ActorProps) {
  const names = useActorNames()
  const id = useId()
  return (
    <>
      <TextField
        {...field}
        hideLabel
        list={id}
        spellCheck={false}
        onChange={(event) => onChange(event.target.value.trim())}
      />
      <datalist id={id}>
        {[...names].map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}

type Period = Record<'from' | 'to', string>

/** Two local times, each of which may be empty. */
export function PeriodFilter({
  values,
  onChange,
}: {
  values: Period
  onChange(changed: Partial<Period>): void
}) {
  const text = useTexts(texts)
  return (['from', 'to'] as const).map((name) => (
    <div key={name} className={styles.time}>
      <DateField
        label={text[name]}
        hasTime
        value={values[name]}
        onChange={(event) => onChange({ [name]: event.target.value })}
      />
    </div>
  ))
}
