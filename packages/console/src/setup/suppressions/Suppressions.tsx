import type { EmailSuppression } from '@backline/sdk'
import { useState } from 'react'
import { Instant, When } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Faults } from '../../data/faults.ts'
import { usePages } from '../../data/lists.ts'
import { useSettled } from '../../data/settled.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Button } from '../../design/Button.tsx'
import { TextField } from '../../design/Field.tsx'
import { FilterRow, Stack } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useToast } from '../../design/Toast.tsx'
import { isAddress } from '../../mail/addresses.ts'
import { CreateButton } from '../../resource/ResourcePage.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

const suppressions = ['email_suppressions']

/** Addresses that get no mail. */
export function Suppressions() {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const [values, set] = useParams(['address'])
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<EmailSuppression | null>(null)
  const typed = useSettled(values.address.trim())
  const address = isAddress(typed) ? typed : undefined
  const query = usePages<EmailSuppression>([...suppressions, 'list', { address }], (cursor, signal) =>
    backline.emailSuppressions.list({ limit: 50, cursor, address }, { signal }),
  )
  const columns: Column<EmailSuppression>[] = [
    { name: 'address', label: text.address, cell: (each) => each.address },
    { name: 'reason', label: text.reason, cell: ({ reason }) => text[reason] ?? reason },
    {
      name: 'until',
      label: text.until,
      cell: ({ expires_at: at }) => (at === null ? text.forever : <Instant at={at} />),
    },
    { name: 'since', label: text.since, cell: ({ created_at: at }) => <When at={at} /> },
  ]
  if (can('mailboxes:write'))
    columns.push({
      name: 'actions',
      label: <span className="visually-hidden">{text.actions}</span>,
      align: 'end',
      cell: (each) => (
        <Button aria-label={text.removeNamed(each.address)} onClick={() => setRemoving(each)}>
          {text.remove}
        </Button>
      ),
    })
  return (
    <Page
      title={text.title}
      intro={text.intro}
      actions={
        <CreateButton resource={{ scope: 'mailboxes:write', texts: text }} onCreate={() => setAdding(true)} />
      }
    >
      <Stack gap={3}>
        <FilterRow>
          <TextField
            label={text.search}
            hideLabel
            type="search"
            placeholder={text.search}
            value={values.address}
            onChange={(event) => set({ address: event.target.value })}
          />
        </FilterRow>
        <List
          query={query}
          empty={
            <EmptyState
              icon={address ? 'search' : 'shield'}
              title={address ? text.notSuppressed : text.none}
            />
          }
        >
          <Table caption={text.title} columns={columns} rows={query.items} keyOf={({ id }) => id} />
        </List>
      </Stack>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
      {removing && <RemoveDialog suppression={removing} onClose={() => setRemoving(null)} />}
    </Page>
  )
}

function AddDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const [address, setAddress] = useState('')
  const add = useWrite({
    run: () => backline.emailSuppressions.create({ address: address.trim() }),
    refresh: [suppressions],
    failed: text.notAdded,
    fields: ['address'],
    faultsOf: (error) => Faults.of(error, text.taken),
    onDone(added) {
      toast.done({ title: text.added(added.address) })
      onClose()
    },
  })
  return (
    <ActionDialog
      title={text.create}
      action={text.create}
      isDisabled={add.isPending}
      onSubmit={add.mutate}
      onClose={onClose}
    >
      <TextField
        label={text.emailAddress}
        type="email"
        required
        maxLength={254}
        value={address}
        error={add.faults.at('/address')}
        onChange={(event) => setAddress(event.target.value)}
      />
    </ActionDialog>
  )
}

function RemoveDialog({ suppression, onClose }: { suppression: EmailSuppression; onClose(): void }) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const { id, address } = suppression
  const remove = useWrite({
    run: () => backline.emailSuppressions.delete(id),
    refresh: [suppressions],
    failed: text.notRemoved,
    onDone() {
      toast.done({ title: text.removed(address) })
      onClose()
    },
  })
  return (
    <ActionDialog
      title={text.removeTitle(address)}
      action={text.remove}
      isDisabled={remove.isPending}
      onSubmit={remove.mutate}
      onClose={onClose}
    >
      <p>{text.removeHint}</p>
    </ActionDialog>
  )
}
