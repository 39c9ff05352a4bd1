import type { Message } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { writeIfUnchanged } from '../../data/conditional-write.ts'
import { useEveryOperator } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { TextArea } from '../../design/Field.tsx'
import { Notice, Quiet } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { mentionsAfter } from '../model/mentions.ts'
import { putMessage } from '../model/messages.ts'
import { texts } from './texts.ts'

const maxBody = 65_536

/** Changes the text of a message. Two people who change it do not overwrite each other. */
export function EditDialog({ message, onClose }: { message: Message; onClose(): void }) {
  const text = useTexts(texts)
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const { data: operators = [] } = useEveryOperator()
  const isNote = message.visibility === 'internal' && message.author_side === 'operator'
  const [body, setBody] = useState(message.body)
  const [asksToDiscard, setAsksToDiscard] = useState(false)
  const save = useWrite<Message, Message>({
    run: (seen) =>
      writeIfUnchanged({
        seen,
        write: (options) => {
          const mentions = isNote ? mentionsAfter(seen, body, operators) : seen.mentions
          const changed = mentions.join() !== seen.mentions.join() && { mentions }
          return backline.messages.update(message.id, { body, ...changed }, options)
        },
        read: () => backline.messages.retrieve(message.id),
        isSame: (newer) => newer.body === seen.body,
      }),
    refresh: [],
    failed: text.editFailed,
    fields: ['/body'],
    onDone(saved) {
      putMessage(cache, saved)
      onClose()
    },
    onConflict: (newer) => putMessage(cache, newer),
  })
  const { conflict } = save
  return (
    <ActionDialog
      title={message.visibility === 'internal' ? text.editNote : text.editMessage}
      action={conflict ? text.saveAnyway : text.save}
      width="wide"
      isDisabled={save.isPending || (body.trim() === '' && message.attachments.length === 0)}
      onSubmit={() => (body === message.body && !conflict ? onClose() : save.mutate(conflict ?? message))}
      onClose={() => (body === message.body ? onClose() : setAsksToDiscard(true))}
    >
      {conflict && (
        <Notice tone="warn" role="alert">
          <p>{text.changedMeanwhile}</p>
          <blockquote dir="auto">{conflict.body}</blockquote>
        </Notice>
      )}
      <TextArea
        label={text.text}
        hideLabel
        dir="auto"
        rows={8}
        maxLength={maxBody}
        value={body}
        error={Faults.of(save.error).at('/body')}
        hint={
          <Quiet>
            {text.formerStays} {message.email && text.mailStays}
          </Quiet>
        }
        onChange={(event) => setBody(event.target.value)}
      />
      <ActionDialog
        isOpen={asksToDiscard}
        title={text.discardEdit}
        action={text.discard}
        isDangerous
        onSubmit={onClose}
        onClose={() => setAsksToDiscard(false)}
      >
        <p>{text.discardEditHint}</p>
      </ActionDialog>
    </ActionDialog>
  )
}
