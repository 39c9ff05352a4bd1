import { useState } from 'react'
import { useClock } from '../../data/now.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { DateField } from '../../forms/DateField.tsx'
import { fromLocal, toLocal } from '../../forms/local-time.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type ScheduleDialogProps = {
  publishAt: string | null
  isBusy: boolean
  onSchedule(publishAt: string): void
  onClose(): void
}

const hourMs = 3_600_000

export function ScheduleDialog({ publishAt, isBusy, onSchedule, onClose }: ScheduleDialogProps) {
  const text = useTexts(texts)
  const clock = useClock()
  const [value, setValue] = useState(() =>
    toLocal(publishAt ? Date.parse(publishAt) : Math.ceil((clock() + hourMs) / hourMs) * hourMs),
  )
  const at = fromLocal(value)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <ActionDialog
      title={text.scheduleTitle}
      action={text.scheduleDo}
      isDisabled={isBusy || at === null}
      onSubmit={() => at !== null && onSchedule(at)}
      onClose={onClose}
    >
      <DateField
        label={text.scheduleAt}
        hint={text.scheduleHint(zone)}
        hasTime
        required
        min={toLocal(clock())}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </ActionDialog>
  )
}
