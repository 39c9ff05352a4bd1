import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import styles from './Field.module.css'

type Described = {
  label: string
  /** Hides the label from the eye, not from assistive technology. */
  hideLabel?: boolean
  hint?: ReactNode
  error?: string | null | undefined
}

type Describe = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

/** A labelled control, with its hint and its fault. */
export function Field({
  label,
  hideLabel = false,
  hint,
  error,
  children,
}: Described & { children: (described: Describe) => ReactNode }) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const describedBy = [hint && hintId, error && errorId].filter(Boolean).join(' ') || undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({ id, 'aria-invalid': Boolean(error), 'aria-describedby': describedBy })}
      {hint && (
        <div id={hintId} className={styles.hint}>
          {hint}
        </div>
      )}
      {error && (
        <div id={errorId} className={styles.error} role="alert">
          {error}
        </div>
      )}
    </div>
  )
}

export function TextField({
  label,
  hideLabel,
  hint,
  error,
  className,
  ...rest
}: Described & ComponentProps<'input'>) {
  return (
    <Field label={label} hideLabel={hideLabel ?? false} hint={hint} error={error}>
      {(described) => <input className={classes(styles.input, className)} {...described} {...rest} />}
    </Field>
  )
}

export function TextArea({
  label,
  hideLabel,
  hint,
  error,
  className,
  ...rest
}: Described & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hideLabel={hideLabel ?? false} hint={hint} error={error}>
      {(described) => (
        <textarea className={classes(styles.input, className)} rows={4} {...described} {...rest} />
      )}
    </Field>
  )
}

export type Option = { value: string; label: string }

/** The browser's own select: works with every keyboard, screen reader and phone. */
export function Select({
  label,
  hideLabel,
  hint,
  error,
  options,
  className,
  ...rest
}: Described & ComponentProps<'select'> & { options: Option[] }) {
  return (
    <Field label={label} hideLabel={hideLabel ?? false} hint={hint} error={error}>
      {(described) => (
        <select className={classes(styles.input, className)} {...described} {...rest}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

export function Checkbox({ label, ...rest }: { label: ReactNode } & ComponentProps<'input'>) {
  return (
    <label className={styles.toggle}>
      <input type="checkbox" {...rest} />
      {label}
    </label>
  )
}
