import type { Conversation } from '@backline/sdk'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { useTexts } from '../../texts/language.tsx'
import { HoldDialog } from './HoldDialog.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { RequiredFieldsDialog } from './RequiredFieldsDialog.tsx'
import { texts } from './texts.ts'
import type { Opened, useActions } from './use-actions.ts'

type HeaderDialogsProps = {
  conversation: Conversation
  actions: ReturnType<typeof useActions>
  opened: Opened | null
  onClose(): void
  onMerged(intoId: string): void
}

/** The dialogs of actions that ask for more. */
export function HeaderDialogs({ conversation, actions, opened, onClose, onMerged }: HeaderDialogsProps) {
  const text = useTexts(texts)
  const { mutate, finish, resolve, close } = actions
  return (
    <>
      {opened === 'hold' && <HoldDialog conversation={conversation} finish={finish} onClose={onClose} />}
      {opened === 'resolve' && (
        <RequiredFieldsDialog
          conversation={conversation}
          mutate={mutate}
          action={text.resolve}
          onClose={onClose}
          onSaved={resolve}
        />
      )}
      {opened === 'merge' && (
        <MergeDialog
          conversation={conversation}
          mutate={mutate}
          onClose={onClose}
          onMerged={(intoId) => {
            onClose()
            onMerged(intoId)
          }}
        />
      )}
      <ActionDialog
        isOpen={opened === 'close'}
        title={text.closeTitle}
        action={text.closeNow}
        isDangerous
        onSubmit={() => {
          onClose()
          close()
        }}
        onClose={onClose}
      >
        <p>{text.closeWarning}</p>
      </ActionDialog>
    </>
  )
}
