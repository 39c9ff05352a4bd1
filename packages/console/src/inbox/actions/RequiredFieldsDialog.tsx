import type { Conversation, CustomFieldValuesInput } from '@backline/sdk'
import { useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { CustomFieldInput } from '../../forms/CustomFieldInput.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'
import type { ConversationChange } from './use-conversation-mutation.ts'
import { useRequiredFields } from './use-required-fields.ts'

type RequiredFieldsDialogProps = {
  conversation: Conversation
  mutate(change: ConversationChange): Promise<boolean>
  /** The label of the button that saves the values and goes on. */
  action: string
  onClose(): void
  /** Goes on once the values are saved. False if that failed: the dialog stays open. */
  onSaved(onInvalid: NonNullable<ConversationChange['onInvalid']>): Promise<boolean>
}

/** Asks for the custom fields that a conversation needs before it is resolved. */
export function RequiredFieldsDialog(props: RequiredFieldsDialogProps) {
  const { conversation, mutate, action, onClose, onSaved } = props
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  // A field stays in the form after it is saved, for the case that the rest fails.
  const [asked] = useState(conversation)
  const fields = useRequiredFields(asked)
  const [values, setValues] = useState<CustomFieldValuesInput>({})
  const [faults, setFaults] = useState(new Faults())
  const [isBusy, setBusy] = useState(false)
  const ownFaults = faults.within('/custom_fields')

  async function submit(): Promise<void> {
    const missing = fields.filter(({ key }) => (values[key] ?? null) === null)
    setFaults(
      new Faults(
        missing.map(({ key }) => ({ pointer: `/custom_fields/${key}`, detail: text.valueRequired })),
      ),
    )
    if (missing.length > 0 || isBusy) return
    setBusy(true)
    const isSaved = await mutate({
      failed: text.fieldsFailed,
      onInvalid: setFaults,
      run: (options) => backline.conversations.update(conversation.id, { custom_fields: values }, options),
    })
    const isDone = isSaved && (await onSaved(setFaults))
    setBusy(false)
    if (isDone) onClose()
  }
  return (
    <ActionDialog
      title={text.requiredTitle}
      action={action}
      noValidate
      isDisabled={isBusy}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      {[...faults.outside(['custom_fields']), ...ownFaults.outside(fields.map(({ key }) => key))].map(
        (fault) => (
          <p key={fault} role="alert">
            {fault}
          </p>
        ),
      )}
      {fields.map((field) => (
        <CustomFieldInput
          key={field.id}
          field={field}
          label={field.name}
          hint={field.description ?? undefined}
          error={ownFaults.at(`/${field.key}`)}
          value={values[field.key] ?? null}
          onChange={(value) => {
            setValues((all) => ({ ...all, [field.key]: value }))
            setFaults(faults.without(`/custom_fields/${field.key}`))
          }}
        />
      ))}
    </ActionDialog>
  )
}
