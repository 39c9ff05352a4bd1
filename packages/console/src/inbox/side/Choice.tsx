import { type Option, Select } from '../../design/Field.tsx'
import styles from './fields/Fields.module.css'

type ChoiceProps = {
  label: string
  value: string
  options: Option[]
  isDisabled?: boolean
  error?: string | null
  onChoose(value: string): void
}

/** A select that looks like text until it is used. Its visible label stands beside it. */
export function Choice({ label, value, options, isDisabled = false, error, onChoose }: ChoiceProps) {
  return (
    <Select
      label={label}
      hideLabel
      className={styles.choice ?? ''}
      value={value}
      options={options}
      disabled={isDisabled}
      error={error}
      onChange={(event) => onChoose(event.target.value)}
    />
  )
}
