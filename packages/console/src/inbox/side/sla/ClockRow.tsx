import { classes } from '../../../design/classes.ts'
import { Icon } from '../../../design/Icon.tsx'
import { Stack } from '../../../design/Layout.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { DrawnClock, useStateOf } from './Clock.tsx'
import styles from './ClockRow.module.css'
import { texts } from './texts.ts'
import type { ClockLine } from './use-line.ts'

type ClockRowProps = { of: ClockLine; nowMs: number; isOpen: boolean; onToggle(): void }

/** A clock in one line: its name, what is left, and its state. It opens the drawn clock. */
export function ClockRow({ of, nowMs, isOpen, onToggle }: ClockRowProps) {
  const text = useTexts(texts)
  const { tone, label } = useStateOf(of)
  const left = useLeft(of)
  return (
    <section aria-label={text[of.name]}>
      <h3>
        <button type="button" className={styles.row} aria-expanded={isOpen} onClick={onToggle}>
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
          <span className={styles.name}>{text[of.name]}</span>
          {left && <span className={styles.left}>{left}</span>}
          <span className={classes(styles.state, styles[tone])}>{label}</span>
        </button>
      </h3>
      {isOpen && (
        <Stack className={styles.drawn}>
          <DrawnClock of={of} nowMs={nowMs} size="normal" />
        </Stack>
      )}
    </section>
  )
}

/** "3 h 59 min", with a minus if it is overdue; null for a clock that has ended. */
function useLeft({ line, remaining }: ClockLine): string | null {
  const { duration } = useFormats()
  return line.isOpen ? `${remaining < 0 ? '−' : ''}${duration(Math.abs(remaining), false)}` : null
}

/** Whether a clock asks for something to be done: it has warned or is breached, and goes on. */
const isPressing = ({ clock, line }: ClockLine): boolean =>
  line.isOpen && (clock.status === 'breached' || (clock.warned_at !== null && clock.status === 'running'))

/** The clock that is drawn without being asked for: the most urgent one that asks for something, or that is paused. */
export const urgentOf = (lines: ClockLine[]): ClockLine | undefined =>
  lines.filter(isPressing).toSorted((a, b) => a.remaining - b.remaining)[0] ??
  lines.find(({ clock }) => clock.status === 'paused')
