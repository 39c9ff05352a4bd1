import type { ReactNode } from 'react'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type ConfirmProps = {
  isOpen: boolean
  onClose(): void
  title: string
  /** The consequences. */
  children: ReactNode
  action: string
  isPending: boolean
  onConfirm(): void
}

/** Asks before something that cannot be undone. */
export function Confirm({ isOpen, onClose, title, children, action, isPending, onConfirm }: ConfirmProps) {
  const text = useTexts(texts)
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="danger" disabled={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
