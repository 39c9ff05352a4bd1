import type { Conversation } from '@backline/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Fieldset, RadioCard, TextField } from '../../design/Field.tsx'
import { Quiet } from '../../design/Layout.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { modelTexts } from '../model/texts.ts'
import { texts } from './texts.ts'
import type { ConversationChange } from './use-conversation-mutation.ts'

type MergeDialogProps = {
  conversation: Conversation
  mutate(change: ConversationChange): Promise<boolean>
  onClose(): void
  onMerged(intoId: string): void
}

const notClosed = ['new', 'open', 'pending', 'on_hold', 'resolved'] as const

export function MergeDialog({ conversation, mutate, onClose, onMerged }: MergeDialogProps) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const { moment } = useFormats()
  const { backline } = useEnvironment()
  const { id, end_user_id } = conversation
  const [intoId, setIntoId] = useState('')
  const [faults, setFaults] = useState(new Faults())
  const {
    data: others,
    error,
    refetch,
  } = useQuery({
    queryKey: ['conversations', id, 'mergeable'],
    queryFn:
      end_user_id === null
        ? skipToken
        : async ({ signal }) => {
            const query = { end_user_id, status: notClosed, limit: 50 }
            const { data } = await backline.conversations.list(query, { signal })
            return data.filter((each) => each.id !== id)
          },
  })
  async function submit(): Promise<void> {
    const into = intoId.trim()
    const isDone = await mutate({
      failed: text.mergeFailed,
      onInvalid: setFaults,
      fields: ['into_id'],
      run: (options) => backline.conversations.merge(id, { into_id: into }, options),
    })
    if (isDone) onMerged(into)
  }
  return (
    <ActionDialog
      title={text.mergeTitle}
      action={text.mergeNow}
      isDangerous
      isDisabled={intoId.trim() === ''}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <p>{text.mergeWarning}</p>
      <Fieldset legend={text.mergeChoice}>
        {!others && end_user_id !== null && !error && <Loading lines={2} />}
        {!others && error && <ErrorState error={error} onRetry={() => void refetch()} />}
        {(others?.length === 0 || end_user_id === null) && <Quiet as="p">{text.mergeNone}</Quiet>}
        {others?.map((each) => (
          <RadioCard
            key={each.id}
            name="into"
            label={each.subject ?? shared.noSubject}
            hint={`${shared[each.status]} · ${moment(each.created_at)}`}
            value={each.id}
            checked={intoId === each.id}
            onChange={() => setIntoId(each.id)}
          />
        ))}
      </Fieldset>
      <TextField
        label={text.mergeId}
        placeholder="conv_…"
        error={faults.at('/into_id')}
        value={intoId}
        onChange={(event) => setIntoId(event.target.value)}
      />
    </ActionDialog>
  )
}
