import type { ScheduleSpan } from '@backline/sdk'
import { type PointerEvent, useRef, useState } from 'react'
import { IconButton } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { Stack } from '../../design/Layout.tsx'
import { Menu } from '../../design/Menu.tsx'
import { useTexts } from '../../texts/language.tsx'
import { HoursField } from './HoursField.tsx'
import { texts } from './texts.ts'
import styles from './WeekGrid.module.css'
import {
  type Day,
  dayMinutes,
  days,
  hoursOf,
  hoursText,
  type Interval,
  painted,
  spansOf,
  type Week,
  weekOf,
  withDay,
} from './week.ts'

const stepMinutes = 30
const marks = [0, 6, 12, 18, 24]

type Stroke = { day: number; minute: number; toDay: number; toMinute: number; isOpen: boolean }

const intervalOf = ({ minute, toMinute }: Stroke): Interval => ({
  from: Math.min(minute, toMinute),
  to: Math.max(minute, toMinute) + stepMinutes,
})

const daysOf = ({ day, toDay }: Stroke): Day[] => days.slice(Math.min(day, toDay), Math.max(day, toDay) + 1)

type WeekGridProps = { spans: ScheduleSpan[]; onChange(spans: ScheduleSpan[]): void }

/** The hours of a week: painted on bars with the pointer, or typed. */
export function WeekGrid({ spans, onChange }: WeekGridProps) {
  const text = useTexts(texts)
  const rows = useRef<HTMLDivElement>(null)
  const [stroke, setStroke] = useState<Stroke | null>(null)
  const week = weekOf(spans)
  const shown = stroke ? painted(week, daysOf(stroke), intervalOf(stroke), stroke.isOpen) : week
  const change = (next: Week) => onChange(spansOf(next))

  function placeAt(event: PointerEvent): { day: number; minute: number } {
    const bars = [...(rows.current?.querySelectorAll<HTMLElement>('[data-bar]') ?? [])]
    const day = bars.findIndex((bar) => event.clientY < bar.getBoundingClientRect().bottom)
    const { left, right, width } = bars[0]!.getBoundingClientRect()
    const isRightToLeft = getComputedStyle(bars[0]!).direction === 'rtl'
    const fromStart = isRightToLeft ? right - event.clientX : event.clientX - left
    const share = Math.min(0.9999, Math.max(0, fromStart / width))
    return {
      day: day < 0 ? days.length - 1 : day,
      minute: Math.floor((share * dayMinutes) / stepMinutes) * stepMinutes,
    }
  }
  function begin(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const { day, minute } = placeAt(event)
    const isFilled = week[days[day]!].some(({ from, to }) => from <= minute && minute < to)
    setStroke({ day, minute, toDay: day, toMinute: minute, isOpen: !isFilled })
  }
  function go(event: PointerEvent): void {
    if (!stroke) return
    const { day, minute } = placeAt(event)
    setStroke({ ...stroke, toDay: day, toMinute: minute })
  }
  function end(): void {
    if (stroke) change(shown)
    setStroke(null)
  }
  const copy = (from: Day, to: readonly Day[]) =>
    change({ ...week, ...Object.fromEntries(to.map((day) => [day, week[from]])) })

  return (
    <Stack className={styles.week}>
      <div className={styles.scale} aria-hidden="true">
        {marks.map((hour) => (
          <span key={hour}>{hour}</span>
        ))}
      </div>
      <Stack ref={rows} gap={1}>
        {days.map((day) => (
          <div key={day} className={styles.day}>
            <span>{text[day]}</span>
            <div
              data-bar=""
              className={classes(styles.bar, stroke !== null && styles.painting)}
              onPointerDown={begin}
              onPointerMove={go}
              onPointerUp={end}
              onPointerCancel={() => setStroke(null)}
            >
              {shown[day].map(({ from, to }) => (
                <span
                  key={from}
                  className={styles.open}
                  style={{
                    insetInlineStart: `${(from / dayMinutes) * 100}%`,
                    width: `${((to - from) / dayMinutes) * 100}%`,
                  }}
                />
              ))}
            </div>
            <HoursField
              label={text[day]}
              value={hoursText(shown[day])}
              placeholder={text.closed}
              onChange={(hours) => change(withDay(week, day, hours))}
            />
            <Menu
              trigger={<IconButton icon="copy" label={text.copyOf(text[day])} />}
              groups={[
                [
                  { label: text.toWeekdays, onSelect: () => copy(day, days.slice(0, 5)) },
                  { label: text.toAll, onSelect: () => copy(day, days) },
                ],
                days
                  .filter((other) => other !== day)
                  .map((other) => ({ label: text.to(text[other]), onSelect: () => copy(day, [other]) })),
                [{ label: text.clear, onSelect: () => change({ ...week, [day]: [] }) }],
              ]}
            />
          </div>
        ))}
      </Stack>
      <small>
        {text.paint} <strong>{text.weekHours(hoursOf(shown))}</strong>
      </small>
    </Stack>
  )
}
