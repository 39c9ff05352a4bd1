import { Button } from '../design/Button.tsx'
import { Dialog } from '../design/Dialog.tsx'
import { useTexts } from '../texts/language.tsx'
import { texts } from './texts.ts'

type SignOutDialogProps = {
  /** The numbers of unsent texts in this browser. */
  messages: number
  drafts: number
  isBusy: boolean
  onClose(): void
  onSignOut(removes: boolean): void
}

/** Asks what becomes of texts that were not sent. */
export function SignOutDialog({ messages, drafts, isBusy, onClose, onSignOut }: SignOutDialogProps) {
  const text = useTexts(texts)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.signOutTitle}
      actions={
        <>
          <Button onClick={onClose}>{text.staySignedIn}</Button>
          <Button variant="danger" disabled={isBusy} onClick={() => onSignOut(true)}>
            {text.deleteAndSignOut}
          </Button>
          <Button variant="primary" disabled={isBusy} onClick={() => onSignOut(false)}>
            {text.keepAndSignOut}
          </Button>
        </>
      }
    >
      <ul>
        {messages > 0 && <li>{text.unsentMessages(messages)}</li>}
        {drafts > 0 && <li>{text.unsentDrafts(drafts)}</li>}
      </ul>
      <p>{text.unsentKept}</p>
    </Dialog>
  )
}
