import { optionsOf, useHoldReasons } from '../../data/configuration.ts'
import type { Faults } from '../../data/faults.ts'
import { Select, TextField } from '../../design/Field.tsx'
import { textOrNull } from '../../forms/changes.ts'
import { DurationField } from '../../forms/DurationField.tsx'
import { FieldRow } from '../../forms/Form.tsx'
import { useTexts } from '../../texts/language.tsx'
import type { ActionOf } from './actions.ts'
import { texts } from './texts.ts'

type HoldProps = { action: ActionOf<'hold'>; onChange(action: ActionOf<'hold'>): void; faults: Faults }

export function HoldAction({ action, onChange, faults }: HoldProps) {
  const text = useTexts(texts)
  const reasons = useHoldReasons()
  return (
    <>
      <FieldRow>
        <Select
          label={text.holdReason}
          required
          error={faults.at('/hold_reason_id')}
          empty={text.chooseReason}
          options={optionsOf(reasons.data)}
          value={action.hold_reason_id}
          onChange={(event) => onChange({ ...action, hold_reason_id: event.target.value })}
        />
        <DurationField
          label={text.duration}
          error={faults.at('/duration_seconds')}
          placeholder={text.usualDuration}
          value={action.duration_seconds}
          onChange={(duration_seconds) => onChange({ ...action, duration_seconds })}
        />
      </FieldRow>
      <TextField
        label={text.holdNote}
        required={reasons.data?.find(({ id }) => id === action.hold_reason_id)?.requires_note ?? false}
        error={faults.at('/note')}
        value={action.note ?? ''}
        onChange={(event) => onChange({ ...action, note: textOrNull(event.target.value) })}
      />
    </>
  )
}
