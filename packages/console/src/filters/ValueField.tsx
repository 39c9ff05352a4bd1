import type { FilterCondition } from '@backline/sdk'
import { Select, TextField } from '../design/Field.tsx'
import { DateField } from '../forms/DateField.tsx'
import { DurationField } from '../forms/DurationField.tsx'
import { periodOf, secondsOfPeriod } from '../forms/duration.ts'
import { MultiSelect } from '../forms/MultiSelect.tsx'
import { NumberField } from '../forms/NumberField.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './Filter.module.css'
import { texts } from './texts.ts'
import type { NamedField } from './use-fields.ts'

type ValueFieldProps = {
  field: NamedField
  condition: FilterCondition
  error: string | undefined
  onChange(value: FilterCondition['value']): void
}

/** The input for the value of a condition, by the kind of its field and its operator. */
export function ValueField({ field, condition, error, onChange }: ValueFieldProps) {
  const text = useTexts(texts)
  const { op, value } = condition
  const described = { label: text.value, hideLabel: true, error }
  if (op === 'exists') return null
  if (op === 'within') return <Period value={String(value)} error={error} onChange={onChange} />
  if (op === 'in' || op === 'not_in')
    return (
      <MultiSelect
        {...described}
        isOpen={!field.choices}
        options={field.choices ?? []}
        value={Array.isArray(value) ? value.map(String) : []}
        onChange={(chosen) => onChange(field.kind === 'number' ? chosen.map(Number) : chosen)}
        placeholder={text.choose}
      />
    )
  if (field.kind === 'boolean')
    return (
      <Select
        {...described}
        options={[
          { value: 'true', label: text.yes },
          { value: 'false', label: text.no },
        ]}
        value={String(value)}
        onChange={(event) => onChange(event.target.value === 'true')}
      />
    )
  if (field.choices)
    return (
      <Select
        {...described}
        required
        options={[
          { value: '', label: text.choose },
          ...field.choices,
          // A value that is not offered any more, such as an archived department, stays visible.
          ...(value !== '' && !field.choices.some((choice) => choice.value === value)
            ? [{ value: String(value), label: String(value) }]
            : []),
        ]}
        value={String(value)}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  if (field.kind === 'number')
    return (
      <NumberField
        {...described}
        required
        step="any"
        value={typeof value === 'number' ? value : null}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  const props = {
    ...described,
    required: true,
    value: String(value),
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  const isDate = field.kind === 'time' && /^(\d{4}-\d{2}-\d{2})?$/.test(String(value))
  return isDate ? <DateField {...props} /> : <TextField {...props} />
}

type PeriodProps = { value: string; error: string | undefined; onChange(value: string): void }

/** A period from now, such as the last seven days. */
function Period({ value, error, onChange }: PeriodProps) {
  const text = useTexts(texts)
  const seconds = secondsOfPeriod(value)
  const isPast = value.startsWith('-')
  return (
    <div className={styles.period}>
      <Select
        label={text.direction}
        hideLabel
        options={[
          { value: '-', label: text.last },
          { value: '+', label: text.next },
        ]}
        value={isPast ? '-' : '+'}
        onChange={({ target }) =>
          onChange(periodOf(Math.abs(seconds ?? 0) * (target.value === '-' ? -1 : 1)))
        }
      />
      <DurationField
        label={text.value}
        hideLabel
        required
        error={error}
        placeholder="7 d"
        value={seconds === null ? null : Math.abs(seconds)}
        onChange={(next) => onChange(periodOf((next ?? 0) * (isPast ? -1 : 1)))}
      />
    </div>
  )
}
