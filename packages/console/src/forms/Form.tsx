import type { ReactNode } from 'react'
import { Checkbox, Fault } from '../design/Field.tsx'
import { Columns, Quiet, Stack } from '../design/Layout.tsx'
import styles from './Form.module.css'

/** Two fields beside each other, where there is room. */
export const FieldRow = ({ children }: { children: ReactNode }) => (
  <Columns least="12rem" className={styles.pair}>
    {children}
  </Columns>
)

/** Fields that belong together, under a title. */
export function Group({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <Stack as="fieldset" gap={3} className={styles.group}>
      <legend>{title}</legend>
      {intro && <Quiet as="p">{intro}</Quiet>}
      {children}
    </Stack>
  )
}

type CheckboxFieldProps = {
  label: string
  hint?: string
  error?: string | undefined
  value: boolean
  onChange(value: boolean): void
}

/** A choice of yes or no, with what it means. */
export function CheckboxField({ label, hint, error, value, onChange }: CheckboxFieldProps) {
  return (
    <Stack gap="half">
      <Checkbox label={label} checked={value} onChange={(event) => onChange(event.target.checked)} />
      {hint && <small className={styles.hint}>{hint}</small>}
      <Fault>{error}</Fault>
    </Stack>
  )
}
