import type { Conversation } from '@backline/sdk'
import { type FormEvent, useId, useState } from 'react'
import { useHoldReasons } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Select, TextArea } from '../../design/Field.tsx'
import { Stack } from '../../design/Layout.tsx'
import { Failed } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { TimeField } from '../model/TimeField.tsx'
import { texts } from './texts.ts'
import type { Act } from './use-act.ts'

type HoldDialogProps = { conversation: Conversation; act(act: Act): Promise<boolean>; onClose(): void }

export function HoldDialog({ conversation, act, onClose }: HoldDialogProps) {
  const text = useTexts(texts)
  const formId = useId()
  const { backline } = useEnvironment()
  const { data: reasons, error, refetch } = useHoldReasons()
  const [reasonId, setReasonId] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [until, setUntil] = useState<string | null>(null)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const reason = reasons?.find(({ id }) => id === reasonId) ?? reasons?.[0]

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!reason) return
    if (reason.requires_note && note.trim() === '') return setFaults({ note: text.noteRequired })
    const body = { hold_reason_id: reason.id, note: note.trim() || null, ...(until && { until }) }
    const isDone = await act({
      failed: text.holdFailed,
      onInvalid: setFaults,
      run: (options) => backline.conversations.hold(conversation.id, body, options),
    })
    if (isDone) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.hold}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" form={formId} look="primary" disabled={!reason}>
            {text.hold}
          </Button>
        </>
      }
    >
      {!reasons && error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : reasons?.length === 0 ? (
        <p>{text.noHoldReasons}</p>
      ) : (
        <Stack as="form" gap={4} id={formId} onSubmit={(event: FormEvent) => void submit(event)}>
          <Select
            label={text.reason}
            hint={reason?.description}
            error={faults.hold_reason_id}
            options={reasons?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
            value={reason?.id ?? ''}
            onChange={(event) => setReasonId(event.target.value)}
          />
          <TextArea
            label={text.note}
            required={reason?.requires_note}
            error={faults.note}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <TimeField
            label={text.holdUntil}
            hint={text.holdUntilHint}
            error={faults.until ?? null}
            value={until}
            onChange={setUntil}
          />
        </Stack>
      )}
    </Dialog>
  )
}
