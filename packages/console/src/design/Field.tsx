import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import styles from './Field.module.css'
import { Stack } from './Layout.tsx'
import { useFault } from './use-fault.ts'

type Described = {
  label: string
  /** Hides the label from the eye, not from assistive technology. */
  hideLabel?: boolean
  hint?: ReactNode
  error?: string | null | undefined
}

/** `isCode`: what is typed is read by machines. */
type Typed = Described & { isCode?: boolean }

type Describe = { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }

/** A labelled control, with its hint and its fault. `value` is what a refusal is about: another one ends it. */
export function Field({
  label,
  hideLabel = false,
  hint,
  error,
  value,
  children,
}: Described & { value?: unknown; children: (described: Describe) => ReactNode }) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const { fault, events } = useFault(id, error, value)
  const describedBy = [hint && hintId, fault && errorId].filter(Boolean).join(' ') || undefined
  return (
    <div className={styles.field} {...events}>
      <label htmlFor={id} className={hideLabel ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      {children({ id, 'aria-invalid': Boolean(fault), 'aria-describedby': describedBy })}
      {hint && <small id={hintId}>{hint}</small>}
      <Fault id={errorId}>{fault}</Fault>
    </div>
  )
}

/** The fault of a control; nothing without one. */
export const Fault = ({ children, ...rest }: ComponentProps<'div'>) =>
  children ? (
    <div {...rest} className={styles.error} role="alert">
      {children}
    </div>
  ) : null

/** Controls that answer one question together. */
export function Fieldset({
  legend,
  error,
  children,
  ...rest
}: ComponentProps<'fieldset'> & { legend: ReactNode; error?: string | null | undefined }) {
  return (
    <fieldset {...rest}>
      <legend className={styles.legend}>{legend}</legend>
      <Stack>
        <Fault>{error}</Fault>
        {children}
      </Stack>
    </fieldset>
  )
}

export function TextField({
  label,
  hideLabel,
  hint,
  error,
  isCode = false,
  className,
  ...rest
}: Typed & ComponentProps<'input'>) {
  return (
    <Field label={label} hideLabel={hideLabel ?? false} hint={hint} error={error} value={rest.value}>
      {(described) => (
        <input className={classes(styles.input, isCode && styles.code, className)} {...described} {...rest} />
      )}
    </Field>
  )
}

export function TextArea({
  label,
  hideLabel,
  hint,
  error,
  isCode = false,
  className,
  ...rest
}: Typed & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hideLabel={hideLabel ?? false} hint={hint} error={error} value={rest.value}>
      {(described) => (
        <textarea
          className={classes(styles.input, isCode && styles.code, className)}
          rows={4}
          {...described}
          {...rest}
        />
      )}
    </Field>
  )
}

export type Option = { value: string; label: string }

/** Browsers without `appearance: base-select` do not know the pseudo-class. */
const isOpen = (select: HTMLSelectElement) => CSS.supports('selector(:open)') && select.matches(':open')

/**
 * An option gives the focus back to its select: the event stays here, or a dialog takes the focus for lost. React's own
 * events come after those of the dialog.
 */
function keepFocusChanges(select: HTMLSelectElement | null): void {
  select?.addEventListener('focusout', (event) => event.target !== select && event.stopPropagation())
}

/** The select of the browser, with our look where it can have one (ADR 73). `empty` names the choice of none. */
export function Select({
  label,
  hideLabel,
  hint,
  error,
  empty,
  options,
  className,
  ...rest
}: Described & ComponentProps<'select'> & { empty?: string; options: Option[] }) {
  return (
    <Field label={label} hideLabel={hideLabel ?? false} hint={hint} error={error} value={rest.value}>
      {(described) => (
        <select
          className={classes(styles.input, styles.select, className)}
          // The list closes, and not the dialog around it.
          onKeyDown={(event) =>
            event.key === 'Escape' && isOpen(event.currentTarget) && event.stopPropagation()
          }
          ref={keepFocusChanges}
          {...described}
          {...rest}
        >
          {empty !== undefined && <option value="">{empty}</option>}
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

type ToggleProps = { label: ReactNode } & Omit<ComponentProps<'input'>, 'type'>

const toggle = (type: 'checkbox' | 'radio', { label, ...rest }: ToggleProps) => (
  <label className={styles.toggle}>
    <input type={type} {...rest} />
    {label}
  </label>
)

export const Checkbox = (props: ToggleProps) => toggle('checkbox', props)
export const Radio = (props: ToggleProps) => toggle('radio', props)

/** One of a few, each in a frame with what it means. */
export const RadioCard = ({ label, hint, ...rest }: ToggleProps & { hint?: ReactNode }) => (
  <label className={styles.card}>
    <input type="radio" {...rest} />
    <Stack as="span" gap={0}>
      <span className={styles.label}>{label}</span>
      {hint && <small>{hint}</small>}
    </Stack>
  </label>
)
