import type {
  Conversation,
  Macro,
  MacroActionInput,
  MacroApplication,
  MacroPreview,
  Message,
} from '@backline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Button } from '../../design/Button.tsx'
import { Notice, Quiet, Stack } from '../../design/Layout.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { Loading } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useResolvingReason } from '../actions/use-required-fields.ts'
import { newer, patchConversation } from '../model/conversations.ts'
import { derivedFields } from '../model/derived.ts'
import { useGoing } from '../model/going.ts'
import { putMessage } from '../model/messages.ts'
import { useValueText } from '../model/values.ts'
import { canBeUndone } from '../undo/inverse.ts'
import { useUndoChange } from '../undo/use-undo-change.ts'
import { texts } from './texts.ts'

/** The texts of a macro, for a person to edit before they are sent. */
export type MacroTexts = { messages: Message[]; resolves: boolean }

type MacroDialogProps = {
  macro: Macro
  conversation: Conversation
  /** Takes the texts of the macro, when all else of it is applied. */
  onTexts(texts: MacroTexts): void
  onClose(): void
}

/** Shows what a macro would change, and applies it: with its texts, or without them for a person to edit first. */
export function MacroDialog({ macro, conversation, onTexts, onClose }: MacroDialogProps) {
  const text = useTexts(texts)
  const toast = useToast()
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const reasonOf = useResolvingReason()
  const undoChange = useUndoChange()
  const going = useGoing()
  const target = { conversation_id: conversation.id }
  const preview = useQuery({
    queryKey: ['conversations', conversation.id, 'macro_preview', macro.id, conversation.version],
    gcTime: 0,
    queryFn: async ({ signal }) => backline.macros.preview(macro.id, target, { signal }),
  })
  const apply = useWrite<{ skip_messages: boolean }, MacroApplication>({
    run: (body) => backline.macros.apply(macro.id, { ...target, ...body }),
    refresh: [['conversations', conversation.id, 'transitions']],
    onDone(applied, { skip_messages: isEdited }) {
      patchConversation(cache, conversation.id, (known) => newer(known, applied.conversation))
      for (const message of applied.messages) putMessage(cache, message)
      const title = text.macroApplied(macro.name)
      const { conversation: after } = applied
      const done = isEdited ? macro.actions.filter(({ type }) => !isText.has(type)) : macro.actions
      onClose()
      if (!canBeUndone(done as MacroActionInput[])) toast.done({ title })
      else undoChange({ title, before: conversation, after, onUndone: going.back })
      if (isEdited && preview.data)
        onTexts({
          messages: preview.data.messages,
          resolves: macro.actions.some((each) => each.type === 'reply' && each.set_status === 'resolved'),
        })
      else if (isFinished(after) && !isFinished(conversation)) going.on()
    },
  })
  // To a closed conversation nothing can be written any more.
  const canEdit = (preview.data?.messages.length ?? 0) > 0 && preview.data?.conversation.status !== 'closed'
  const refused = preview.error ?? apply.error
  return (
    <ActionDialog
      title={text.macroPreview(macro.name)}
      action={text.apply}
      isDisabled={!preview.isSuccess || apply.isPending}
      aside={
        canEdit && (
          <Button disabled={apply.isPending} onClick={() => apply.mutate({ skip_messages: true })}>
            {text.editFirst}
          </Button>
        )
      }
      onSubmit={() => apply.mutate({ skip_messages: false })}
      onClose={onClose}
    >
      {refused && (
        <p role="alert">
          <strong>{text.macroFailed}</strong>: {reasonOf(refused)}
        </p>
      )}
      {preview.isPending && <Loading />}
      {canEdit && <Quiet as="p">{text.editFirstHint}</Quiet>}
      {preview.isSuccess && <Changes preview={preview.data} />}
    </ActionDialog>
  )
}

/** Actions that write messages. */
const isText = new Set(['reply', 'note'])

const isFinished = ({ status }: Conversation): boolean => ['on_hold', 'resolved', 'closed'].includes(status)

function Changes({ preview: { changes, messages } }: { preview: MacroPreview }) {
  const text = useTexts(texts)
  const { nameOf, textOf } = useValueText()
  const shown = Object.entries(changes).filter(([field]) => !derivedFields.has(field))
  if (shown.length + messages.length === 0) return <p>{text.nothingChanges}</p>
  return (
    <>
      {shown.length > 0 && (
        <Stack as="section">
          <h3>{text.changes}</h3>
          <DescriptionList
            items={shown.map(([field, { from, to }]) => [
              nameOf(field),
              <span key={field}>
                <Quiet as="del">{textOf(field, from)}</Quiet> → <strong>{textOf(field, to)}</strong>
              </span>,
            ])}
          />
        </Stack>
      )}
      {messages.length > 0 && (
        <Stack as="section">
          <h3>{text.willSend}</h3>
          {messages.map(({ id, body, visibility }) => (
            <Notice as="blockquote" key={id} tone={visibility === 'internal' ? 'note' : 'info'}>
              <strong>{visibility === 'internal' ? text.note : text.reply}</strong>
              {body}
            </Notice>
          ))}
        </Stack>
      )}
    </>
  )
}
