import { type KeyboardEvent, type ReactNode, type SubmitEvent, useId, useRef } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { Stack } from './Layout.tsx'

type ActionDialogProps = {
  title: string
  /** The label of the button that acts. Without it, the dialog can only be closed. */
  action?: string | undefined
  onSubmit(): void
  onClose(): void
  /** The fields that the action needs, or its consequences. */
  children: ReactNode
  isOpen?: boolean
  /** For actions that delete or end something. */
  isDangerous?: boolean
  isDisabled?: boolean
  /** The server, or `onSubmit`, judges the fields. */
  noValidate?: boolean
  /** The label of the button that closes the dialog. */
  cancel?: string
  /** Stands before the buttons. */
  aside?: ReactNode
  form?: 'centre' | 'panel'
  width?: 'normal' | 'wide'
}

/** Asks for what an action needs, or whether it is meant. Control and Enter act from everywhere in it. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, action, onSubmit, onClose, children, isOpen = true, isDangerous, isDisabled } = props
  const { noValidate, cancel, aside, form: place = 'centre', width = 'normal' } = props
  const text = useTexts(common)
  const formId = useId()
  const form = useRef<HTMLFormElement>(null)
  function submit(event: SubmitEvent<HTMLFormElement>): void {
    if (event.target !== event.currentTarget) return // a form in a dialog above this one
    event.preventDefault()
    if (!isDisabled) onSubmit()
  }
  function submitByKey(event: KeyboardEvent<HTMLElement>): void {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.repeat || isDisabled) return
    if (!event.currentTarget.contains(event.target as Node)) return // a dialog above this one
    event.preventDefault()
    form.current?.requestSubmit()
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      form={place}
      onKeyDown={submitByKey}
      width={width}
      actions={
        <>
          {aside}
          <Button onClick={onClose}>{cancel ?? text.cancel}</Button>
          {action && (
            <Button
              type="submit"
              form={formId}
              // Enter acts at once, unless something would end by it.
              data-main={isDangerous ? undefined : ''}
              variant={isDangerous ? 'danger' : 'primary'}
              // It may have the focus already, and keeps it.
              aria-disabled={isDisabled ?? false}
              onClick={(event) => isDisabled && event.preventDefault()}
            >
              {action}
            </Button>
          )}
        </>
      }
    >
      <Stack as="form" gap={4} id={formId} noValidate={noValidate} ref={form} onSubmit={submit}>
        {children}
      </Stack>
    </Dialog>
  )
}
