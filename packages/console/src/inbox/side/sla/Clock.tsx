import { Badge, type Tone } from '../../../design/Badge.tsx'
import { classes } from '../../../design/classes.ts'
import { Row, Stack } from '../../../design/Layout.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import styles from './Clock.module.css'
import type { Size } from './geometry.ts'
import { TimeLine } from './TimeLine.tsx'
import { texts } from './texts.ts'
import type { ClockLine } from './use-line.ts'

type ClockProps = { of: ClockLine; nowMs: number }

/** A clock of the SLA in full: its state in words and numbers, and its time line. */
export function Clock({ of, nowMs }: ClockProps) {
  const text = useTexts(texts)
  const { tone, label } = useStateOf(of)
  return (
    <Stack as="section" aria-label={text[of.name]}>
      <Row as="header" justify="between">
        <h3>{text[of.name]}</h3>
        <Badge tone={tone}>{label}</Badge>
      </Row>
      <DrawnClock of={of} nowMs={nowMs} size="large" />
    </Stack>
  )
}

/** The numbers of a clock, and its time line. */
export function DrawnClock({ of, nowMs, size }: ClockProps & { size: Size }) {
  const text = useTexts(texts)
  const { duration } = useFormats()
  const state = useStateOf(of)
  const target = duration(of.clock.target_seconds, false)
  const spent = duration(of.elapsed, false)
  return (
    <>
      <dl className={classes(styles.facts, styles[size])}>
        <Ending of={of} nowMs={nowMs} />
        <div>
          <dt>{text.elapsed}</dt>
          <dd>{spent}</dd>
        </div>
        <div>
          <dt>{text.target}</dt>
          <dd>{target}</dd>
        </div>
      </dl>
      <TimeLine of={of} size={size} summary={text.summary(text[of.name], state.label, spent, target)} />
    </>
  )
}

/** The numbers that a person asks for first: how much is left and until when, or when it ended. */
function Ending({ of: { clock, line, remaining }, nowMs }: ClockProps) {
  const text = useTexts(texts)
  const { duration, near } = useFormats()
  const dueAt = line.isOpenEnded ? null : (clock.breached_at ?? clock.due_at)
  const tone = remaining < 0 ? styles.bad : clock.warned_at && line.isOpen ? styles.warn : undefined
  return (
    <>
      {line.isOpen ? (
        <div>
          <dt>{remaining < 0 ? text.overdue : text.remaining}</dt>
          <dd className={classes(styles.main, tone)}>{duration(Math.abs(remaining), false)}</dd>
        </div>
      ) : (
        clock.met_at && (
          <div>
            <dt>{text.metAt}</dt>
            <dd className={styles.main}>{near(clock.met_at, nowMs)}</dd>
          </div>
        )
      )}
      {(line.isOpen || dueAt) && (
        <div>
          <dt>{line.isOpen && remaining >= 0 ? text.due : text.wasDue}</dt>
          <dd className={styles.main}>
            {dueAt ? near(dueAt, nowMs) : clock.status === 'paused' ? text.notWhilePaused : text.never}
          </dd>
        </div>
      )}
    </>
  )
}

/** The state of a clock in a word, and its tone. */
export function useStateOf({ clock, line }: ClockLine): { tone: Tone; label: string } {
  const text = useTexts(texts)
  switch (clock.status) {
    case 'met':
      return { tone: 'good', label: text.met }
    case 'breached':
      return { tone: 'bad', label: clock.met_at ? text.breachedMet : text.breached }
    case 'paused':
      return { tone: 'neutral', label: text.paused }
    case 'cancelled':
      return { tone: 'neutral', label: text.cancelled }
    default: {
      if (line.isOpen && clock.spans.at(-1)?.counted === false)
        return { tone: 'neutral', label: text.outside }
      return clock.warned_at ? { tone: 'warn', label: text.warned } : { tone: 'info', label: text.running }
    }
  }
}
