import type { IdentityKey } from '@backline/sdk'
import { useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useWrite } from '../../data/write.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Confirm } from '../../design/Confirm.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { Menu } from '../../design/Menu.tsx'
import { Empty } from '../../design/States.tsx'
import { Table } from '../../design/Table.tsx'
import { useTexts } from '../../texts/language.tsx'
import { List } from '../shared/Lists.tsx'
import { SecretDialog } from '../shared/Secret.tsx'
import { When } from '../shared/Times.tsx'
import { IdentityKeyForm } from './IdentityKeyForm.tsx'
import styles from './Keys.module.css'
import { texts } from './texts.ts'

const key = ['identity_keys']

type Open = { what: 'create' } | { what: 'edit' | 'remove'; key: IdentityKey } | null

export function IdentityKeys() {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const [open, setOpen] = useState<Open>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const query = usePages([...key, 'list'], (cursor) => backline.identityKeys.list({ limit: 50, cursor }))
  const close = () => setOpen(null)
  const remove = useWrite({
    run: (id: string) => backline.identityKeys.delete(id),
    refresh: [key],
    failed: text.removeFailed,
    onDone: close,
  })
  const mayWrite = can('identity_keys:write')
  const create = () => setOpen({ what: 'create' })
  useCommands(mayWrite ? [{ label: text.createIdentity, group: text.title, icon: 'plus', run: create }] : [])
  const button = mayWrite && (
    <Button look="primary" icon="plus" onClick={create}>
      {text.createIdentity}
    </Button>
  )
  return (
    <Stack gap={4}>
      <Row gap={3} wraps align="start" justify="between" className={styles.head}>
        <p>{text.identityIntro}</p>
        {button}
      </Row>
      <List
        query={query}
        empty={
          <Empty icon="shield" title={text.emptyIdentity}>
            <p>{text.emptyIdentityHint}</p>
            {button}
          </Empty>
        }
      >
        <Table<IdentityKey>
          caption={text.identityKeys}
          rows={query.items}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'name',
              label: text.name,
              cell: ({ id, name }) => (
                <Stack as="span" gap="half">
                  <strong>{name}</strong> <code>{id}</code>
                </Stack>
              ),
            },
            { name: 'algorithm', label: text.algorithm, cell: ({ algorithm }) => <code>{algorithm}</code> },
            { name: 'issuer', label: text.issuer, cell: ({ issuer }) => issuer ?? text.any },
            { name: 'audience', label: text.audience, cell: ({ audience }) => audience ?? text.any },
            { name: 'created', label: text.created, cell: ({ created_at: at }) => <When at={at} /> },
            {
              name: 'actions',
              label: <span className="visually-hidden">{text.actionsColumn}</span>,
              align: 'end',
              cell: (each) =>
                mayWrite && (
                  <Menu
                    trigger={<IconButton icon="more" label={text.actionsOf(each.name)} />}
                    groups={[
                      [
                        {
                          label: text.edit,
                          icon: 'edit',
                          onChoose: () => setOpen({ what: 'edit', key: each }),
                        },
                      ],
                      [
                        {
                          label: text.delete,
                          icon: 'trash',
                          isDangerous: true,
                          onChoose: () => setOpen({ what: 'remove', key: each }),
                        },
                      ],
                    ]}
                  />
                ),
            },
          ]}
        />
      </List>
      {(open?.what === 'create' || open?.what === 'edit') && (
        <IdentityKeyForm
          identityKey={open.what === 'edit' ? open.key : null}
          onClose={close}
          onSaved={(made) => {
            close()
            setSecret(made)
          }}
        />
      )}
      <Confirm
        isOpen={open?.what === 'remove'}
        onClose={close}
        title={text.removeTitle(open?.what === 'remove' ? open.key.name : '')}
        action={text.delete}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => open?.what === 'remove' && remove.mutate(open.key.id)}
      >
        <p>{text.removeText}</p>
      </Confirm>
      <SecretDialog title={text.identitySecretTitle} secret={secret} onClose={() => setSecret(null)}>
        <p>{text.identitySecretNote}</p>
      </SecretDialog>
    </Stack>
  )
}
