import type { OperatorStatusEntry } from '@backline/sdk'
import { useState } from 'react'
import { givenReason } from '../data/automatic-reasons.ts'
import { useEnvironment } from '../data/environment.tsx'
import { useClock } from '../data/now.ts'
import { useWrite } from '../data/write.ts'
import { ActionDialog } from '../design/ActionDialog.tsx'
import { Select, TextField } from '../design/Field.tsx'
import { textOrNull } from '../forms/changes.ts'
import { DurationField } from '../forms/DurationField.tsx'
import { FieldRow } from '../forms/Form.tsx'
import { useTexts } from '../texts/language.tsx'
import { type OperatorStatus, operatorStatuses } from '../texts/values.ts'
import { texts } from './texts.ts'

type StatusDialogProps = { entry: OperatorStatusEntry; name: string; onClose(): void }

/** Sets a status with its reason, for a while or for good. */
export function StatusDialog({ entry, name, onClose }: StatusDialogProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const clock = useClock()
  const [status, setStatus] = useState<OperatorStatus>(entry.status)
  const [reason, setReason] = useState(givenReason(entry.reason) ?? '')
  const [seconds, setSeconds] = useState<number | null>(null)
  const [next, setNext] = useState<OperatorStatus>('online')
  const write = useWrite({
    run: () =>
      backline.operators.status.set(entry.operator_id, {
        status,
        reason: textOrNull(reason),
        ...(seconds && { until: new Date(clock() + seconds * 1_000).toISOString(), then: next }),
      }),
    refresh: [['operators']],
    failed: text.notSet,
    onDone: onClose,
  })
  const options = operatorStatuses.map((each) => ({ value: each, label: text[each] }))
  return (
    <ActionDialog
      title={text.setStatusOf(name)}
      action={text.setStatus}
      isDisabled={write.isPending}
      onSubmit={write.mutate}
      onClose={onClose}
    >
      <Select
        label={text.status}
        options={options}
        value={status}
        onChange={(event) => setStatus(event.target.value as OperatorStatus)}
      />
      <TextField
        label={text.reason}
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <FieldRow>
        <DurationField
          label={text.duration}
          hint={text.durationHint}
          value={seconds}
          onChange={setSeconds}
          placeholder="30 min"
        />
        {seconds !== null && (
          <Select
            label={text.then}
            options={options}
            value={next}
            onChange={(event) => setNext(event.target.value as OperatorStatus)}
          />
        )}
      </FieldRow>
    </ActionDialog>
  )
}
