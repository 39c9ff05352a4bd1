import { useId, useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { TextField } from '../../design/Field.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts as sharedTexts } from '../shared/texts.ts'
import { texts } from './texts.ts'

type ScheduleDialogProps = {
  publishAt: string | null
  isBusy: boolean
  onSchedule(publishAt: string): void
  onClose(): void
}

const hourMs = 3_600_000

/** The value of a `datetime-local` input, in the time zone of the browser. */
function localValue(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

export function ScheduleDialog({ publishAt, isBusy, onSchedule, onClose }: ScheduleDialogProps) {
  const text = useTexts(texts)
  const shared = useTexts(sharedTexts)
  const formId = useId()
  const [value, setValue] = useState(() =>
    localValue(publishAt ? Date.parse(publishAt) : Math.ceil((Date.now() + hourMs) / hourMs) * hourMs),
  )
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.scheduleTitle}
      actions={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
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
          onSchedule(new Date(value).toISOString())
        }}
      >
        <TextField
          label={text.scheduleAt}
          hint={text.scheduleHint(zone)}
          type="datetime-local"
          required
          min={localValue(Date.now())}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
