import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

type ConfirmProps = {
  isOpen: boolean
  onClose(): void
  title: string
  /** The consequences. */
  children: ReactNode
  action: string
  /** For actions that delete or end something. */
  isDangerous?: boolean
  isBusy: boolean
  onConfirm(): void
}

/** Asks before something that cannot be taken back easily. */
export function Confirm(props: ConfirmProps) {
  const { isOpen, onClose, title, children, action, isDangerous, isBusy, onConfirm } = props
  const text = useTexts(common)
  return (
    <Dialog
      isOpen={isOpen}
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
