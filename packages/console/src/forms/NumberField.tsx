import type { ReactNode } from 'react'
import { TextField } from '../design/Field.tsx'

type NumberFieldProps = {
  label: string
  hint?: ReactNode
  error?: string | undefined
  value: number | null
  onChange(value: number | null): void
  min?: number
  max?: number
  step?: number | 'any'
  placeholder?: string
  required?: boolean
  hideLabel?: boolean
}

/** A number, or null if the field is empty. */
export const NumberField = ({ value, onChange, hideLabel = false, ...rest }: NumberFieldProps) => (
  <TextField
    {...rest}
    hideLabel={hideLabel}
    type="number"
    inputMode="numeric"
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
  />
)
