import type { Schedule, SlaConfig } from '@backline/sdk'
import { useState } from 'react'
import { Fault, TextArea, TextField } from '../../design/Field.tsx'
import { CheckboxField, Group } from '../../forms/Form.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import { TimeZoneField } from '../../forms/TimeZoneField.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { Conditions } from './Conditions.tsx'
import type { SlaDraft } from './draft.ts'
import { Holidays } from './Holidays.tsx'
import styles from './Sla.module.css'
import { Targets } from './Targets.tsx'
import { texts } from './texts.ts'
import { WeekGrid } from './WeekGrid.tsx'
import { days } from './week.ts'

const usualSchedule = (): Schedule => ({
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  weekly: days.slice(0, 5).map((day) => ({ day, from: '09:00', to: '17:00' })),
  holidays: [],
})

export function SlaForm({ draft, set, faults, field, input }: FormProps<SlaConfig, SlaDraft>) {
  const text = useTexts(texts)
  const { schedule } = draft
  const [kept, setKept] = useState(schedule ?? usualSchedule)
  const setSchedule = (change: Partial<Schedule>) => {
    const next = { ...(schedule ?? kept), ...change }
    setKept(next)
    set({ schedule: next })
  }
  return (
    <>
      <TextField {...input('name')} required />
      <TextArea {...input('description')} rows={2} />
      <Group title={text.targets} intro={text.targetsIntro}>
        <Targets
          targets={draft.targets}
          onChange={(targets) => set({ targets })}
          faults={faults.within('/targets')}
        />
        <Fault>{faults.at('/targets')}</Fault>
        <div className={styles.warn}>
          <NumberField {...field('warn_at_percent')} hint={text.warnHint} min={1} max={100} />
        </div>
        <CheckboxField {...field('pauses_on_pending')} />
      </Group>
      <Group title={text.conditions} intro={text.conditionsIntro}>
        <Conditions
          conditions={draft.conditions}
          onChange={(conditions) => set({ conditions })}
          faults={faults.within('/conditions')}
        />
      </Group>
      <Group title={text.schedule} intro={text.scheduleIntro}>
        <CheckboxField
          label={text.clockRound}
          value={schedule === null}
          onChange={(isAlways) => set({ schedule: isAlways ? null : kept })}
        />
        {schedule && (
          <>
            <div className={styles.warn}>
              <TimeZoneField
                label={text.timezone}
                error={faults.at('/schedule/timezone')}
                required
                value={schedule.timezone}
                onChange={(timezone) => setSchedule({ timezone: timezone ?? '' })}
              />
            </div>
            <WeekGrid spans={schedule.weekly} onChange={(weekly) => setSchedule({ weekly })} />
            <Fault>{faults.under('/schedule/weekly')}</Fault>
          </>
        )}
      </Group>
      {schedule && (
        <Group title={text.holidays} intro={text.holidaysIntro}>
          <Holidays
            holidays={schedule.holidays}
            onChange={(holidays) => setSchedule({ holidays })}
            faults={faults.within('/schedule/holidays')}
          />
        </Group>
      )}
    </>
  )
}
