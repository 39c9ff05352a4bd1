import { type ReactNode, useId } from 'react'
import { TextField } from '../design/Field.tsx'

type TimeZoneFieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: string | null
  onChange(value: string | null): void
  required?: boolean
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

/** A time zone by its IANA name, with the known ones offered. */
export function TimeZoneField({ value, onChange, ...rest }: TimeZoneFieldProps) {
  const id = useId()
  return (
    <>
      <TextField
        {...rest}
        list={id}
        autoComplete="off"
        placeholder={Intl.DateTimeFormat().resolvedOptions().timeZone}
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || null)}
      />
      <datalist id={id}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
