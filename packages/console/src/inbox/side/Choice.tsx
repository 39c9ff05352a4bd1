import { classes } from '../../design/classes.ts'
import { type Option, Select } from '../../design/Field.tsx'
import { Icon } from '../../design/Icon.tsx'
import styles from './Choice.module.css'

type ChoiceProps = {
  label: string
  value: string
  options: Option[]
  isDisabled?: boolean
  error?: string | null
  onSelect(value: string): void
}

/** A select that looks like text until it is used: the text may be longer than a line. Its label stands beside it. */
export function Choice({ label, value, options, isDisabled = false, error, onSelect }: ChoiceProps) {
  const shown = options.find((option) => option.value === value)?.label ?? value
  return (
    <div className={classes(styles.chooser, isDisabled && styles.fixed)}>
      <span className={styles.chosen} aria-hidden="true">
        {shown}
        {!isDisabled && <Icon name="chevronDown" size={14} />}
      </span>
      <Select
        label={label}
        hideLabel
        className={styles.choice ?? ''}
        value={value}
        options={options}
        disabled={isDisabled}
        error={error}
        onChange={(event) => onSelect(event.target.value)}
      />
    </div>
  )
}
