import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { lazyComponent } from '../app/lazy.tsx'
import { useClock } from '../data/now.ts'
import { IconButton } from '../design/Button.tsx'
import { classes } from '../design/classes.ts'
import field from '../design/Field.module.css'
import { Field } from '../design/Field.tsx'
import { Popover } from '../design/Popover.tsx'
import { useDateWords } from '../texts/date-words.ts'
import { useTexts } from '../texts/language.tsx'
import styles from './DateField.module.css'
import { readDate, toLocal } from './local-time.ts'
import { texts } from './texts.ts'

const Calendar = lazyComponent(async () => (await import('./Calendar.tsx')).Calendar)

type DateFieldProps = {
  label: string
  hideLabel?: boolean
  hint?: ReactNode
  error?: string | null | undefined
  /** `2026-11-23T16:30` in the time zone of the browser, to the minute or the second; without a time `2026-11-23`. */
  value: string
  onChange(event: { target: { value: string } }): void
  /** A time of the day belongs to it. */
  hasTime?: boolean
  min?: string
  max?: string
  required?: boolean
  autoFocus?: boolean
  className?: string | undefined
}

/** A date, or a time: typed as the reader's language writes it, or chosen from a calendar. */
export function DateField({ label, hideLabel, hint, error, onChange, ...rest }: DateFieldProps) {
  // An address can have anything.
  const value = Number.isNaN(Date.parse(rest.value)) ? '' : rest.value
  const { hasTime = false, min, max, required, autoFocus, className } = rest
  const text = useTexts(texts)
  const words = useDateWords()
  const clock = useClock()
  const input = useRef<HTMLInputElement>(null)
  const [isOpen, setOpen] = useState(false)
  /** Null unless it is being edited. */
  const [typed, setTyped] = useState<string | null>(null)
  const known = useRef(value)
  if (known.current !== value) {
    known.current = value
    if (typed !== null && read(typed, true) !== value) setTyped(null)
  }
  function read(given: string, isWhole: boolean): string | null {
    return given.trim() === '' ? '' : readDate(given, { order: words.order, hasTime, isWhole })
  }
  function change(next: string): void {
    known.current = next
    if (next !== value) onChange({ target: { value: next } })
  }
  const now = toLocal(clock())
  const isWrong = typed !== null && read(typed, false) === null
  const fault = isWrong
    ? text.notDate(words.format(hasTime ? now : now.slice(0, 10)))
    : value !== '' && min && value < min
      ? text.tooEarly(words.format(min))
      : value !== '' && max && value > max
        ? text.tooLate(words.format(max))
        : ''
  // Before the next event: the field may be left at once.
  useLayoutEffect(() => input.current?.setCustomValidity(fault), [fault])

  /** Takes over the typed text, and shows it in full. */
  function finish(): void {
    const given = typed === null ? null : read(typed, false)
    if (given === null) return
    setTyped(null)
    change(given)
  }
  return (
    <Field
      label={label}
      hideLabel={hideLabel ?? false}
      hint={hint}
      error={error}
      value={isWrong ? typed : value}
    >
      {(described) => (
        <div className={styles.box}>
          <input
            ref={input}
            className={classes(field.input, styles.input, className)}
            {...described}
            required={required}
            // biome-ignore lint/a11y/noAutofocus: As of other fields.
            autoFocus={autoFocus}
            autoComplete="off"
            placeholder={hasTime ? words.patternWithTime : words.pattern}
            value={typed ?? words.format(value)}
            onChange={({ target }) => {
              setTyped(target.value)
              const given = read(target.value, true)
              if (given !== null) change(given)
            }}
            onBlur={finish}
            onKeyDown={(event) => {
              if (event.key === 'Enter') finish()
              if (event.key !== 'ArrowDown' || !event.altKey) return
              event.preventDefault()
              setOpen(true)
            }}
          />
          <Popover
            title={label}
            isOpen={isOpen}
            onOpenChange={setOpen}
            initialFocus={false}
            align="end"
            className={styles.popup}
            finalFocus={input as RefObject<HTMLElement | null>}
            trigger={<IconButton icon="calendar" label={text.openCalendar} className={styles.open} isSmall />}
          >
            {(close) => (
              <Calendar
                {...{ value, min, max, hasTime, now, close }}
                canClear={!required}
                onChange={(next) => {
                  setTyped(null)
                  change(next)
                }}
              />
            )}
          </Popover>
        </div>
      )}
    </Field>
  )
}
