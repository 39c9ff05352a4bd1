import type { Message } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { useTexts } from '../../texts/language.tsx'
import { putMessage } from '../model/messages.ts'
import { texts } from './texts.ts'

/** Asks before a message is redacted. */
export function RedactDialog({ message, onClose }: { message: Message; onClose(): void }) {
  const text = useTexts(texts)
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const redact = useWrite({
    run: () => backline.messages.redact(message.id),
    refresh: [],
    failed: text.redactFailed,
    onDone(redacted) {
      putMessage(cache, redacted)
      onClose()
    },
  })
  return (
    <ActionDialog
      title={text.redactTitle}
      action={text.redactAction}
      isDangerous
      isDisabled={redact.isPending}
      onSubmit={redact.mutate}
      onClose={onClose}
    >
      <p>{text.redactHint}</p>
      {message.email && <p>{text.redactMail}</p>}
    </ActionDialog>
  )
}
