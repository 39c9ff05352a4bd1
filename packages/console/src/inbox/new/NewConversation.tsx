import type { EndUser } from '@backline/sdk'
import { useState } from 'react'
import { randomKey } from '../../browser/random-key.ts'
import {
  optionsOf,
  pathsOf,
  useCategories,
  useCustomFields,
  useDepartments,
  useEveryMailbox,
} from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Checkbox, Select, TextArea, TextField } from '../../design/Field.tsx'
import { Notice } from '../../design/Layout.tsx'
import { CustomFieldInput } from '../../forms/CustomFieldInput.tsx'
import { FieldRow } from '../../forms/Form.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { MailNotice, useChannels } from './channels.tsx'
import { addressOf, conversationBody, type Draft, personBody } from './draft.ts'
import { texts } from './texts.ts'
import { Who } from './Who.tsx'

/** The fields of both requests that show their faults. */
const fields = [
  ...['name', 'emails', 'external_id'],
  ...['subject', 'message', 'department_id', 'category_id', 'mailbox_id', 'custom_fields'],
]

type NewConversationProps = { person: EndUser | null; onClose(): void; onCreated(id: string): void }

/** Begins a conversation with its first message. */
export function NewConversation({ person, onClose, onCreated }: NewConversationProps) {
  const text = useTexts(texts)
  const { backline, operator, can } = useEnvironment()
  const departments = useDepartments().data
  const categories = useCategories().data
  const mailboxes = useEveryMailbox().data
  const required = (useCustomFields().data ?? []).filter(
    ({ applies_to, required_on }) => applies_to === 'conversation' && required_on === 'create',
  )
  const [draft, setDraft] = useState<Draft>({
    person,
    newPerson: null,
    mailboxId: null,
    channel: 'chat',
    isChannelChosen: false,
    departmentId: null,
    categoryId: null,
    subject: '',
    body: '',
    isMine: true,
    customFields: {},
  })
  /** The same until something is changed: a repetition after a lost answer begins no second conversation. */
  const [key, setKey] = useState(randomKey)
  const [hasTriedToSend, setTried] = useState(false)
  const [asksToDiscard, setAsksToDiscard] = useState(false)
  const set = (change: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...change }))
    setKey(randomKey())
  }
  const channels = useChannels(draft, mailboxes)
  const sent: Draft = { ...draft, mailboxId: channels.mailboxId }
  const missing = new Faults(missingIn(sent))

  const begin = useWrite({
    async run() {
      const endUser =
        draft.person ??
        (await backline.endUsers.create(personBody(draft.newPerson!), { idempotencyKey: `${key}.person` }))
      // If the rest fails, it is repeated with the person who is there now.
      setDraft((before) => ({ ...before, person: endUser, newPerson: null }))
      return backline.conversations.create(conversationBody(sent, endUser.id, operator.id), {
        idempotencyKey: key,
      })
    },
    refresh: [['conversations'], ['end_users']],
    faultsOf: (error) => Faults.of(error, text.taken),
    onDone: ({ id }) => onCreated(id),
  })
  const isElsewhere = begin.error && !begin.faults.areAllIn(fields)
  const faultAt = (pointer: string) =>
    (hasTriedToSend ? missing.at(pointer) : undefined) ?? begin.faults.at(pointer)
  function submit(): void {
    setTried(true)
    if (missing.count === 0 && !begin.isPending) begin.mutate()
  }
  function missingIn({ person: chosen, newPerson, mailboxId, body, customFields }: Draft) {
    const found = [
      chosen === null && newPerson === null && { pointer: '/person', detail: text.personMissing },
      newPerson !== null &&
        Object.values(newPerson).every((value) => value.trim() === '') && {
          pointer: '/name',
          detail: text.nothingKnown,
        },
      mailboxId !== null && !addressOf(sent) && { pointer: '/mailbox_id', detail: text.noAddress },
      body.trim() === '' && { pointer: '/message/body', detail: text.messageMissing },
      ...required.map(
        ({ key: name }) =>
          (customFields[name] ?? null) === null && {
            pointer: `/custom_fields/${name}`,
            detail: text.valueRequired,
          },
      ),
    ]
    return found.filter((each) => each !== false)
  }
  return (
    <ActionDialog
      form="panel"
      title={text.newConversation}
      action={text.begin}
      noValidate
      isDisabled={begin.isPending}
      onSubmit={submit}
      onClose={() => (draft.body.trim() === '' ? onClose() : setAsksToDiscard(true))}
    >
      <Who draft={draft} set={set} faultAt={faultAt} />
      <Select
        label={text.channels}
        options={channels.options}
        value={channels.value}
        error={faultAt('/mailbox_id')}
        onChange={(event) => set(channels.changeTo(event.target.value))}
      />
      {channels.mailboxId && <MailNotice address={addressOf(draft)} />}
      <FieldRow>
        {can('departments:read') && (
          <Select
            label={text.department}
            empty={text.noDepartment}
            options={optionsOf(departments)}
            value={draft.departmentId ?? ''}
            error={faultAt('/department_id')}
            onChange={(event) => set({ departmentId: event.target.value || null })}
          />
        )}
        {can('categories:read') && (
          <Select
            label={text.category}
            empty={text.noCategory}
            options={pathsOf(categories)}
            value={draft.categoryId ?? ''}
            error={faultAt('/category_id')}
            onChange={(event) => set({ categoryId: event.target.value || null })}
          />
        )}
      </FieldRow>
      {required.map((field) => (
        <CustomFieldInput
          key={field.id}
          field={field}
          label={field.name}
          hint={field.description ?? undefined}
          error={faultAt(`/custom_fields/${field.key}`)}
          value={draft.customFields[field.key] ?? null}
          onChange={(value) => set({ customFields: { ...draft.customFields, [field.key]: value } })}
        />
      ))}
      <TextField
        label={text.subject}
        maxLength={255}
        value={draft.subject}
        error={faultAt('/subject')}
        onChange={(event) => set({ subject: event.target.value })}
      />
      <TextArea
        label={text.message}
        rows={8}
        value={draft.body}
        error={faultAt('/message/body')}
        onChange={(event) => set({ body: event.target.value })}
      />
      <Checkbox
        label={text.assignToMe}
        checked={draft.isMine}
        onChange={(event) => set({ isMine: event.target.checked })}
      />
      {isElsewhere && (
        <Notice tone="bad" icon="warning" role="alert">
          <strong>{text.notBegun}</strong>
          <p>{reasonOf(begin.error)}</p>
        </Notice>
      )}
      <ActionDialog
        isOpen={asksToDiscard}
        title={text.discardTitle}
        action={text.discard}
        cancel={text.keepEditing}
        isDangerous
        onSubmit={onClose}
        onClose={() => setAsksToDiscard(false)}
      >
        <p>{text.discardHint}</p>
      </ActionDialog>
    </ActionDialog>
  )
}
