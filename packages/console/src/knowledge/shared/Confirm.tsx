import type { ReactNode } from 'react'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

type ConfirmProps = {
  title: string
  action: string
  isDangerous?: boolean
  isBusy?: boolean
  onConfirm(): void
  onClose(): void
  children: ReactNode
}

/** Asks before something that cannot be taken back easily. */
export function Confirm({ title, action, isDangerous, isBusy, onConfirm, onClose, children }: ConfirmProps) {
  const text = useTexts(texts)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look={isDangerous ? 'danger' : 'primary'} disabled={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
