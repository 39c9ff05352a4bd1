import type { SlaTarget } from '@backline/sdk'
import type { Faults } from '../../data/faults.ts'
import { DurationField } from '../../forms/DurationField.tsx'
import { durationOf } from '../../forms/duration.ts'
import { useTexts } from '../../texts/language.tsx'
import { clocks, priorities } from '../../texts/values.ts'
import type { Clock } from './draft.ts'
import styles from './Sla.module.css'
import { texts } from './texts.ts'

const rows = [null, ...priorities.toReversed()]
const none = { first_response_seconds: null, next_response_seconds: null, resolution_seconds: null }

type TargetsProps = { targets: SlaTarget[]; onChange(targets: SlaTarget[]): void; faults: Faults }

/** A table of durations: a row for each priority, and one for all others. */
export function Targets({ targets, onChange, faults }: TargetsProps) {
  const text = useTexts(texts)
  function set(priority: SlaTarget['priority'], clock: Clock, seconds: number | null): void {
    const next = rows.flatMap((row) => {
      const before = targets.find((target) => target.priority === row) ?? { priority: row, ...none }
      const after = row === priority ? { ...before, [`${clock}_seconds`]: seconds } : before
      return clocks.some((each) => after[`${each}_seconds`] !== null) ? [after] : []
    })
    onChange(next)
  }
  // A priority without a row of its own has the targets of all others.
  const usual = targets.find(({ priority }) => priority === null)
  const usualText = (clock: Clock) => {
    const seconds = usual?.[`${clock}_seconds`] ?? null
    return seconds === null ? '–' : durationOf(seconds)
  }
  return (
    <div className={styles.scrolls}>
      <table className={styles.targets}>
        <thead>
          <tr>
            <th scope="col">{text.priority}</th>
            {clocks.map((clock) => (
              <th key={clock} scope="col">
                {text[clock]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((priority) => {
            const at = targets.findIndex((target) => target.priority === priority)
            const name = priority ? text[priority] : text.others
            return (
              <tr key={priority}>
                <th scope="row">{name}</th>
                {clocks.map((clock) => (
                  <td key={clock}>
                    <DurationField
                      label={text.targetOf(text[clock], name)}
                      hideLabel
                      error={faults.at(`/${at}/${clock}_seconds`)}
                      value={targets[at]?.[`${clock}_seconds`] ?? null}
                      onChange={(seconds) => set(priority, clock, seconds)}
                      placeholder={at < 0 ? usualText(clock) : '–'}
                    />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
