import type { Conversation, HoldReason } from '@backline/sdk'
import { useState } from 'react'
import { useHoldReasons } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Select, TextArea } from '../../design/Field.tsx'
import { ErrorState } from '../../design/States.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { TimeField } from '../model/TimeField.tsx'
import { texts } from './texts.ts'
import type { ConversationChange } from './use-conversation-mutation.ts'

type HoldDialogProps = {
  conversation: Conversation
  /** Puts it on hold, and goes on to another conversation. */
  finish(change: ConversationChange): Promise<boolean>
  onClose(): void
}

/** How long a hold lasts without a time of its own, in seconds; null for as long as nobody ends it. */
const usual = ({ default_duration_seconds, max_duration_seconds }: HoldReason): number | null =>
  default_duration_seconds ?? max_duration_seconds

export function HoldDialog({ conversation, finish, onClose }: HoldDialogProps) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const { duration } = useFormats()
  const { data: reasons, error, refetch } = useHoldReasons()
  const [reasonId, setReasonId] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [until, setUntil] = useState<string | null>(null)
  const [faults, setFaults] = useState(new Faults())
  const reason = reasons?.find(({ id }) => id === reasonId) ?? reasons?.[0]

  const labelOf = (each: HoldReason) =>
    [each.name, usual(each) && `(${duration(usual(each)!)})`].filter(Boolean).join(' ')

  async function submit(): Promise<void> {
    if (!reason) return
    if (reason.requires_note && note.trim() === '')
      return setFaults(new Faults([{ pointer: '/note', detail: text.noteRequired }]))
    const body = { hold_reason_id: reason.id, note: note.trim() || null, ...(until && { until }) }
    const isDone = await finish({
      failed: text.holdFailed,
      done: text.heldNow,
      onInvalid: setFaults,
      fields: ['hold_reason_id', 'note', 'until'],
      run: (options) => backline.conversations.hold(conversation.id, body, options),
    })
    if (isDone) onClose()
  }
  return (
    <ActionDialog
      title={text.hold}
      action={text.hold}
      isDisabled={!reason}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {!reasons && error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : reasons?.length === 0 ? (
        <p>{text.noHoldReasons}</p>
      ) : (
        <>
          <Select
            label={text.reason}
            hint={reason?.description}
            error={faults.at('/hold_reason_id')}
            options={reasons?.map((each) => ({ value: each.id, label: labelOf(each) })) ?? []}
            value={reason?.id ?? ''}
            onChange={(event) => setReasonId(event.target.value)}
          />
          <TextArea
            label={text.note}
            required={reason?.requires_note}
            error={faults.at('/note')}
            value={note}
            onChange={(event) => setNote(event.target.value)}
          />
          <TimeField
            label={text.holdUntil}
            hint={
              reason && usual(reason) ? text.holdUntilLasts(duration(usual(reason)!)) : text.holdUntilHint
            }
            error={faults.at('/until') ?? null}
            value={until}
            onChange={setUntil}
          />
        </>
      )}
    </ActionDialog>
  )
}
