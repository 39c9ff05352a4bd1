import { useId, useState } from 'react'
import { useClock } from '../../data/now.ts'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { TextField } from '../../design/Field.tsx'
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
  const formId = useId()
  const [value, setValue] = useState(() =>
    toLocal(publishAt ? Date.parse(publishAt) : Math.ceil((clock() + hourMs) / hourMs) * hourMs),
  )
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.scheduleTitle}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="primary" type="submit" form={formId} disabled={isBusy || value === ''}>
            {text.scheduleDo}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault()
          const at = fromLocal(value)
          if (at) onSchedule(at)
        }}
      >
        <TextField
          label={text.scheduleAt}
          hint={text.scheduleHint(zone)}
          type="datetime-local"
          required
          min={toLocal(clock())}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
