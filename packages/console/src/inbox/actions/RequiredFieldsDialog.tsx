import type { Conversation, CustomFieldValuesInput } from '@backline/sdk'
import { type SubmitEvent, useId, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Stack } from '../../design/Layout.tsx'
import { CustomFieldInput } from '../../forms/CustomFieldInput.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import type { Act } from './use-act.ts'
import { useRequiredFields } from './use-required-fields.ts'

type RequiredFieldsDialogProps = {
  conversation: Conversation
  act(act: Act): Promise<boolean>
  /** The label of the button that saves the values and goes on. */
  action: string
  onClose(): void
  /** Goes on once the values are saved. False if that failed: the dialog stays open. */
  onSaved(onInvalid: NonNullable<Act['onInvalid']>): Promise<boolean>
}

/** Asks for the custom fields that a conversation needs before it is resolved. */
export function RequiredFieldsDialog(props: RequiredFieldsDialogProps) {
  const { conversation, act, action, onClose, onSaved } = props
  const text = useTexts(texts)
  const formId = useId()
  const { backline } = useEnvironment()
  // A field stays in the form after it is saved, for the case that the rest fails.
  const [asked] = useState(conversation)
  const fields = useRequiredFields(asked)
  const [values, setValues] = useState<CustomFieldValuesInput>({})
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isBusy, setBusy] = useState(false)
  const nameOf = (key: string) => `custom_fields/${key}`
  const others = Object.entries(faults).filter(([name]) => !fields.some(({ key }) => name === nameOf(key)))

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const missing = fields.filter(({ key }) => (values[key] ?? null) === null)
    setFaults(Object.fromEntries(missing.map(({ key }) => [nameOf(key), text.valueRequired])))
    if (missing.length > 0 || isBusy) return
    setBusy(true)
    const isSaved = await act({
      failed: text.fieldsFailed,
      onInvalid: setFaults,
      run: (options) => backline.conversations.update(conversation.id, { custom_fields: values }, options),
    })
    const isDone = isSaved && (await onSaved(setFaults))
    setBusy(false)
    if (isDone) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.requiredTitle}
      actions={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button type="submit" form={formId} look="primary" disabled={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Stack
        as="form"
        gap={4}
        id={formId}
        noValidate
        onSubmit={(event: SubmitEvent<HTMLFormElement>) => void submit(event)}
      >
        {others.map(([name, detail]) => (
          <p key={name} role="alert">
            {name}: {detail}
          </p>
        ))}
        {fields.map((field) => (
          <CustomFieldInput
            key={field.id}
            field={field}
            label={field.name}
            hint={field.description ?? undefined}
            error={faults[nameOf(field.key)]}
            value={values[field.key] ?? null}
            onChange={(value) => {
              setValues((all) => ({ ...all, [field.key]: value }))
              setFaults(({ [nameOf(field.key)]: _, ...rest }) => rest)
            }}
          />
        ))}
      </Stack>
    </Dialog>
  )
}
