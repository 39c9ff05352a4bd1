import type { Conversation, Macro, MacroActionInput, MacroPreview } from '@backline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useMacros } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { IconButton } from '../../design/Button.tsx'
import { Notice, Quiet, Stack } from '../../design/Layout.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { Picker } from '../../design/Picker.tsx'
import { Loading } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useResolvingReason } from '../actions/use-required-fields.ts'
import { newer, patchConversation } from '../model/conversations.ts'
import { derivedFields } from '../model/derived.ts'
import { useGoing } from '../model/going.ts'
import { putMessage } from '../model/messages.ts'
import { focusOnOpening } from '../model/opening.ts'
import { useValueText } from '../model/values.ts'
import { canBeUndone } from '../undo/inverse.ts'
import { useUndoChange } from '../undo/use-undo-change.ts'
import { texts } from './texts.ts'

type MacrosProps = { conversation: Conversation }

/** Applies a macro, after a look at what it would change. */
export function Macros({ conversation }: MacrosProps) {
  const { can } = useEnvironment()
  const isOffered = can('macros:read') && can('conversations:write') && conversation.status !== 'closed'
  return isOffered && <Chooser conversation={conversation} />
}

function Chooser({ conversation }: MacrosProps) {
  const text = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<Macro | null>(null)
  const all = useMacros()
  useCommands([
    { label: text.macros, group: text.conversation, icon: 'bolt', shortcut: 'y', run: () => setOpen(true) },
  ])
  const close = () => {
    setChosen(null)
    focusOnOpening(conversation.id) // the list that had the focus is gone
  }
  const fitting = all.data?.filter(
    ({ department_ids }) =>
      department_ids.length === 0 || department_ids.includes(conversation.department_id ?? ''),
  )
  return (
    <>
      <Picker
        trigger={<IconButton icon="bolt" label={text.macros} shortcut="y" />}
        title={text.findMacro}
        options={
          fitting?.map(({ id, name, description }) => ({
            id,
            label: name,
            detail: description ?? undefined,
          })) ?? []
        }
        isOpen={isOpen}
        onOpenChange={setOpen}
        onSelect={(id) => setChosen(all.data?.find((each) => each.id === id) ?? null)}
        isLoading={all.isPending}
        error={all.data ? null : all.error}
        onRetry={() => void all.refetch()}
        empty={text.noMacros}
      />
      {chosen && <Preview macro={chosen} conversation={conversation} onClose={close} />}
    </>
  )
}

type PreviewProps = MacrosProps & { macro: Macro; onClose(): void }

function Preview({ macro, conversation, onClose }: PreviewProps) {
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
  const apply = useWrite({
    run: () => backline.macros.apply(macro.id, target),
    refresh: [['conversations', conversation.id, 'transitions']],
    onDone(applied) {
      patchConversation(cache, conversation.id, (known) => newer(known, applied.conversation))
      for (const message of applied.messages) putMessage(cache, message)
      const title = text.macroApplied(macro.name)
      const { conversation: after } = applied
      onClose()
      if (!canBeUndone(macro.actions as MacroActionInput[])) toast.done({ title })
      else undoChange({ title, before: conversation, after, onUndone: going.back })
      if (isFinished(after) && !isFinished(conversation)) going.on()
    },
  })
  const refused = preview.error ?? apply.error
  return (
    <ActionDialog
      title={text.macroPreview(macro.name)}
      action={text.apply}
      isDisabled={!preview.isSuccess || apply.isPending}
      onSubmit={apply.mutate}
      onClose={onClose}
    >
      {refused && (
        <p role="alert">
          <strong>{text.macroFailed}</strong>: {reasonOf(refused)}
        </p>
      )}
      {preview.isPending && <Loading />}
      {preview.isSuccess && <Changes preview={preview.data} />}
    </ActionDialog>
  )
}

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
