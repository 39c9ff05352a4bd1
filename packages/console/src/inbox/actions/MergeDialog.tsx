import type { Conversation } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Fieldset, RadioCard, TextField } from '../../design/Field.tsx'
import { Quiet, Stack } from '../../design/Layout.tsx'
import { Failed, Loading } from '../../design/States.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { words } from '../model/words.ts'
import { texts } from './texts.ts'
import type { Act } from './use-act.ts'

type MergeDialogProps = {
  conversation: Conversation
  act(act: Act): Promise<boolean>
  onClose(): void
  onMerged(intoId: string): void
}

const notClosed = ['new', 'open', 'pending', 'on_hold', 'resolved'] as const

export function MergeDialog({ conversation, act, onClose, onMerged }: MergeDialogProps) {
  const text = useTexts(texts)
  const word = useTexts(words)
  const { full } = useFormats()
  const formId = useId()
  const { backline } = useEnvironment()
  const { id, end_user_id } = conversation
  const [intoId, setIntoId] = useState('')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const {
    data: others,
    error,
    refetch,
  } = useQuery({
    queryKey: ['conversations', id, 'mergeable'],
    enabled: end_user_id !== null,
    queryFn: async ({ signal }) => {
      const query = { end_user_id: end_user_id!, status: notClosed, limit: 50 }
      const { data } = await backline.conversations.list(query, { signal })
      return data.filter((each) => each.id !== id)
    },
  })
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const into = intoId.trim()
    const isDone = await act({
      failed: text.mergeFailed,
      onInvalid: setFaults,
      run: (options) => backline.conversations.merge(id, { into_id: into }, options),
    })
    if (isDone) onMerged(into)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.mergeTitle}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" form={formId} look="danger" disabled={intoId.trim() === ''}>
            {text.mergeNow}
          </Button>
        </>
      }
    >
      <p>{text.mergeWarning}</p>
      <Stack as="form" gap={4} id={formId} onSubmit={(event: FormEvent) => void submit(event)}>
        <Fieldset legend={text.mergeChoice}>
          {!others && end_user_id !== null && !error && <Loading lines={2} />}
          {!others && error && <Failed error={error} onRetry={() => void refetch()} />}
          {(others?.length === 0 || end_user_id === null) && <Quiet as="p">{text.mergeNone}</Quiet>}
          {others?.map((each) => (
            <RadioCard
              key={each.id}
              name="into"
              label={each.subject ?? word.noSubject}
              hint={`${word[each.status]} · ${full(each.created_at)}`}
              value={each.id}
              checked={intoId === each.id}
              onChange={() => setIntoId(each.id)}
            />
          ))}
        </Fieldset>
        <TextField
          label={text.mergeId}
          placeholder="conv_…"
          error={faults.into_id}
          value={intoId}
          onChange={(event) => setIntoId(event.target.value)}
        />
      </Stack>
    </Dialog>
  )
}
