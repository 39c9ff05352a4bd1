import type { Holiday } from '@backline/sdk'
import type { Faults } from '../../data/faults.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Checkbox, TextField } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import { patched, textOrNull, without } from '../../forms/changes.ts'
import { DateField } from '../../forms/DateField.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Sla.module.css'
import { texts } from './texts.ts'

type HolidaysProps = { holidays: Holiday[]; onChange(holidays: Holiday[]): void; faults: Faults }

/** Days on which no time counts. */
export function Holidays({ holidays, onChange, faults }: HolidaysProps) {
  const text = useTexts(texts)
  const set = (at: number, change: Partial<Holiday>) => onChange(patched(holidays, at, change))
  return (
    <Stack>
      {holidays.map((holiday, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Holidays have no other identity while they are edited.
        <div key={i} className={styles.holiday}>
          <DateField
            label={text.date}
            hideLabel
            required
            error={faults.under(`/${i}`)}
            value={holiday.date}
            onChange={(event) => set(i, { date: event.target.value })}
          />
          <TextField
            label={text.name}
            hideLabel
            placeholder={text.name}
            value={holiday.name ?? ''}
            onChange={(event) => set(i, { name: textOrNull(event.target.value) })}
          />
          <Checkbox
            label={text.yearly}
            checked={holiday.yearly}
            onChange={(event) => set(i, { yearly: event.target.checked })}
          />
          <IconButton
            icon="close"
            label={text.removeNamed(holiday.name ?? holiday.date)}
            onClick={() => onChange(without(holidays, i))}
          />
        </div>
      ))}
      <div>
        <Button icon="plus" onClick={() => onChange([...holidays, { date: '', name: null, yearly: false }])}>
          {text.addHoliday}
        </Button>
      </div>
    </Stack>
  )
}
