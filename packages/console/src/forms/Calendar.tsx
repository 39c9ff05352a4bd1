import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../design/Button.tsx'
import { TextField } from '../design/Field.tsx'
import { Row, Stack } from '../design/Layout.tsx'
import { useDateWords } from '../texts/date-words.ts'
import { useTexts } from '../texts/language.tsx'
import styles from './DateField.module.css'
import { addDays, addMonths, readTime, weekOf } from './local-time.ts'
import { texts } from './texts.ts'

type CalendarProps = {
  /** As a `DateField` has it. */
  value: string
  min: string | undefined
  max: string | undefined
  hasTime: boolean
  now: string
  canClear: boolean
  onChange(value: string): void
  close(): void
}

const week = [0, 1, 2, 3, 4, 5, 6]

/** The month of a date, to choose a day by mouse or by the keys of the ARIA date picker, and its time. */
export function Calendar({
  value,
  min = '',
  max = '9',
  hasTime,
  now,
  canClear,
  onChange,
  close,
}: CalendarProps) {
  const text = useTexts(texts)
  const words = useDateWords()
  const title = useId()
  const today = now.slice(0, 10)
  const chosen = value.slice(0, 10)
  const [day, setDay] = useState(chosen || today)
  const grid = useRef<HTMLTableElement>(null)
  const hasFocus = useRef(true)
  // The next key is for the day that has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: The focus follows the day.
  useLayoutEffect(() => {
    if (hasFocus.current)
      grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
  }, [day])

  const isOut = (date: string) => date < min.slice(0, 10) || date > max.slice(0, 10)
  function moveTo(date: string, byKey: boolean): void {
    hasFocus.current = byKey
    setDay(date)
  }
  function choose(date: string): void {
    if (!hasTime) {
      onChange(date)
      close()
      return
    }
    // The morning of a coming day, the next hour of this one, the begin of a day that filters ask for.
    const hour = Number(now.slice(11, 13))
    const nextHour = hour === 23 ? '23:59' : `${String(hour + 1).padStart(2, '0')}:00`
    const usual = min === '' ? '00:00' : date === today ? nextHour : '09:00'
    moveTo(date, true)
    onChange(`${date}T${value.slice(11) || usual}`)
  }
  function moveByKey(event: KeyboardEvent<HTMLElement>): void {
    const forward = getComputedStyle(event.currentTarget).direction === 'rtl' ? -1 : 1
    const first = weekOf(day, words.firstDay)
    const months = event.shiftKey ? 12 : 1
    const next = {
      ArrowLeft: () => addDays(day, -forward),
      ArrowRight: () => addDays(day, forward),
      ArrowUp: () => addDays(day, -7),
      ArrowDown: () => addDays(day, 7),
      Home: () => first,
      End: () => addDays(first, 6),
      PageUp: () => addMonths(day, -months),
      PageDown: () => addMonths(day, months),
    }[event.key]
    if (!next) return
    event.preventDefault()
    moveTo(next(), true)
  }
  const start = weekOf(`${day.slice(0, 8)}01`, words.firstDay)
  const weeks = week
    .slice(0, 6)
    .map((i) => addDays(start, 7 * i))
    .filter((first) => first.slice(0, 7) <= day.slice(0, 7))
  const month = (by: number) => (
    <IconButton
      icon={by < 0 ? 'arrowLeft' : 'arrowRight'}
      label={by < 0 ? text.monthBefore : text.monthAfter}
      onClick={() => moveTo(addMonths(day, by), false)}
    />
  )
  return (
    <Stack gap={3}>
      <Row justify="between">
        {month(-1)}
        <strong id={title} aria-live="polite">
          {words.month(day)}
        </strong>
        {month(1)}
      </Row>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: As the date picker of ARIA is made. */}
      <table ref={grid} role="grid" aria-labelledby={title} className={styles.grid} onKeyDown={moveByKey}>
        <thead>
          <tr>
            {week.map((i) => (
              <th key={i} scope="col" abbr={words.weekday(addDays(start, i))}>
                {words.shortWeekday(addDays(start, i))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((monday) => (
            <tr key={monday}>
              {week
                .map((i) => addDays(monday, i))
                .map((date) => (
                  // biome-ignore lint/a11y/useAriaPropsSupportedByRole: It is a cell of a grid.
                  <td key={date} aria-selected={date === chosen}>
                    <button
                      type="button"
                      tabIndex={date === day ? 0 : -1}
                      aria-label={words.longDay(date)}
                      aria-current={date === today ? 'date' : undefined}
                      aria-disabled={isOut(date)}
                      data-outside={date.slice(0, 7) === day.slice(0, 7) ? undefined : ''}
                      onClick={() => !isOut(date) && choose(date)}
                    >
                      {Number(date.slice(8))}
                    </button>
                  </td>
                ))}
            </tr>
          ))}
        </tbody>
      </table>
      {hasTime && value !== '' && (
        <TimeOfDay value={value.slice(11)} onChange={(time) => onChange(`${chosen}T${time}`)} close={close} />
      )}
      <Row justify="between">
        {canClear ? (
          <Button
            variant="plain"
            disabled={value === ''}
            onClick={() => {
              onChange('')
              close()
            }}
          >
            {text.clearDate}
          </Button>
        ) : (
          <span />
        )}
        <Button onClick={close}>{text.done}</Button>
      </Row>
    </Stack>
  )
}

type TimeOfDayProps = { value: string; onChange(time: string): void; close(): void }

function TimeOfDay({ value, onChange, close }: TimeOfDayProps) {
  const text = useTexts(texts)
  const words = useDateWords()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const isWrong = typed !== null && readTime(typed) === null
  const fault = isWrong ? text.notTime(words.timeOfDay('16:30')) : ''
  useLayoutEffect(() => input.current?.setCustomValidity(fault), [fault])
  return (
    <TextField
      ref={input}
      label={text.time}
      autoComplete="off"
      value={typed ?? words.timeOfDay(value)}
      onChange={({ target }) => {
        setTyped(target.value)
        const time = readTime(target.value)
        if (time) onChange(time)
      }}
      onBlur={() => !isWrong && setTyped(null)}
      onKeyDown={(event) => event.key === 'Enter' && !isWrong && close()}
    />
  )
}
