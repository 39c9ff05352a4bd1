import type { ApiKey } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useLiveEvents } from '../../data/live.tsx'
import { useWrite } from '../../data/write.ts'
import { Badge } from '../../design/Badge.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Menu } from '../../design/Menu.tsx'
import { Empty } from '../../design/States.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Confirm } from '../shared/Confirm.tsx'
import { useEnvironmentNow } from '../shared/clock.ts'
import { List } from '../shared/Lists.tsx'
import { SecretDialog } from '../shared/Secret.tsx'
import { When } from '../shared/Times.tsx'
import { ApiKeyForm } from './ApiKeyForm.tsx'
import styles from './Keys.module.css'
import { RotateApiKey } from './RotateApiKey.tsx'
import { useScopesSummary } from './scopes.ts'
import { texts } from './texts.ts'

const key = ['api_keys']

type Open = { what: 'create' } | { what: 'rotate' | 'revoke'; key: ApiKey } | null

export function ApiKeys() {
  const text = useTexts(texts)
  const cache = useQueryClient()
  const { backline, can } = useEnvironment()
  const [open, setOpen] = useState<Open>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const query = usePages([...key, 'list'], (cursor) => backline.apiKeys.list({ limit: 50, cursor }))
  useLiveEvents(({ type }) => {
    if (type.startsWith('api_key.')) void cache.invalidateQueries({ queryKey: key })
  })
  const close = () => setOpen(null)
  const revoke = useWrite({
    run: (id: string) => backline.apiKeys.revoke(id),
    refresh: [key],
    failed: text.revokeFailed,
    onDone: close,
  })
  const mayWrite = can('api_keys:write')
  const create = () => setOpen({ what: 'create' })
  useCommands(mayWrite ? [{ label: text.createApi, group: text.title, icon: 'plus', run: create }] : [])
  const show = (made: string) => {
    close()
    setSecret(made)
  }
  const columns = useColumns(mayWrite, setOpen)
  const button = mayWrite && (
    <Button look="primary" icon="plus" onClick={create}>
      {text.createApi}
    </Button>
  )
  return (
    <div className={styles.tab}>
      <div className={styles.head}>
        <p>{text.apiIntro}</p>
        {button}
      </div>
      <List
        query={query}
        empty={
          <Empty icon="key" title={text.emptyApi}>
            <p>{text.emptyApiHint}</p>
            {button}
          </Empty>
        }
      >
        <Table caption={text.apiKeys} rows={query.items} keyOf={({ id }) => id} columns={columns} />
      </List>
      {open?.what === 'create' && <ApiKeyForm onClose={close} onCreated={show} />}
      {open?.what === 'rotate' && <RotateApiKey apiKey={open.key} onClose={close} onRotated={show} />}
      <Confirm
        isOpen={open?.what === 'revoke'}
        onClose={close}
        title={text.revokeTitle(open?.what === 'revoke' ? open.key.name : '')}
        action={text.revoke}
        isPending={revoke.isPending}
        onConfirm={() => open?.what === 'revoke' && revoke.mutate(open.key.id)}
      >
        <p>{text.revokeText}</p>
      </Confirm>
      <SecretDialog title={text.apiSecretTitle} secret={secret} onClose={() => setSecret(null)} />
    </div>
  )
}

function useColumns(mayWrite: boolean, open: (next: Open) => void): Column<ApiKey>[] {
  const text = useTexts(texts)
  const nowMs = useEnvironmentNow()
  const summaryOf = useScopesSummary()
  const hasExpired = ({ expires_at: at }: ApiKey) => at !== null && Date.parse(at) <= nowMs
  return [
    {
      name: 'name',
      label: text.name,
      cell: ({ name, secret_hint: hint }) => (
        <span className={styles.name}>
          {name} <code>{hint}</code>
        </span>
      ),
    },
    {
      name: 'state',
      label: text.state,
      cell: (each) =>
        each.revoked_at !== null ? (
          <Badge>{text.revoked}</Badge>
        ) : hasExpired(each) ? (
          <Badge tone="warn">{text.expired}</Badge>
        ) : (
          <Badge tone="good">{text.active}</Badge>
        ),
    },
    { name: 'kind', label: text.kind, cell: ({ kind }) => text[kind] ?? kind },
    {
      name: 'scopes',
      label: text.scopes,
      cell: ({ scopes, kind }) => (
        <span title={scopes.join(', ')}>{kind === 'publishable' ? text.noScopes : summaryOf(scopes)}</span>
      ),
    },
    {
      name: 'restricted',
      label: text.restricted,
      cell: ({ allowed_cidrs: networks, allowed_origins: origins }) =>
        networks.length + origins.length === 0 ? (
          <span className={styles.ended}>{text.anywhere}</span>
        ) : (
          <span className={styles.restrictions}>
            {[...networks, ...origins].slice(0, 3).map((each) => (
              <code key={each}>{each}</code>
            ))}
            {networks.length + origins.length > 3 && `+${networks.length + origins.length - 3}`}
          </span>
        ),
    },
    {
      name: 'used',
      label: text.lastUsed,
      cell: ({ last_used_at: at }) => (at === null ? text.never : <When at={at} />),
    },
    {
      name: 'expires',
      label: text.expires,
      cell: ({ expires_at: at }) => (at === null ? text.never : <When at={at} />),
    },
    {
      name: 'actions',
      label: '',
      align: 'end',
      cell: (each) =>
        mayWrite &&
        each.revoked_at === null && (
          <Menu
            trigger={<IconButton icon="more" label={text.actions(each.name)} />}
            groups={[
              [{ label: text.rotate, icon: 'refresh', onChoose: () => open({ what: 'rotate', key: each }) }],
              [
                {
                  label: text.revoke,
                  icon: 'trash',
                  isDangerous: true,
                  onChoose: () => open({ what: 'revoke', key: each }),
                },
              ],
            ]}
          />
        ),
    },
  ]
}
