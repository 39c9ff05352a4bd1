import type { ApiKey } from '@backline/sdk'
import { useEffect, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { When } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useEnvironmentNow } from '../../data/now.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Checkbox } from '../../design/Field.tsx'
import { Quiet, Row, Stack } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Menu } from '../../design/Menu.tsx'
import { EmptyState } from '../../design/States.tsx'
import { type Column, Table } from '../../design/Table.tsx'
import { useTexts } from '../../texts/language.tsx'
import { SecretDialog } from '../shared/Secret.tsx'
import { ApiKeyForm } from './ApiKeyForm.tsx'
import styles from './Keys.module.css'
import { RotateApiKey } from './RotateApiKey.tsx'
import { useScopesSummary } from './scopes.ts'
import { texts } from './texts.ts'

const key = ['api_keys']

type Open = { what: 'create' } | { what: 'rotate' | 'revoke'; key: ApiKey } | null

export function ApiKeys() {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const [values, set] = useParams(['ended'])
  const [open, setOpen] = useState<Open>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const query = usePages([...key, 'list'], (cursor) => backline.apiKeys.list({ limit: 50, cursor }))
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
  const nowMs = useEnvironmentNow()
  const shown = values.ended === 'true' ? query.items : query.items.filter((each) => !hasEnded(each, nowMs))
  // A page may have ended keys only.
  const { fetchNextPage, hasNextPage, isFetchingNextPage } = query
  useEffect(() => {
    if (shown.length === 0 && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [shown.length, hasNextPage, isFetchingNextPage, fetchNextPage])
  const columns = useColumns(mayWrite, setOpen)
  const button = mayWrite && (
    <Button variant="primary" icon="plus" onClick={create}>
      {text.createApi}
    </Button>
  )
  return (
    <Stack gap={4}>
      <Row gap={3} wraps align="start" justify="between" className={styles.head}>
        <p>{text.apiIntro}</p>
        {button}
      </Row>
      <List
        query={query}
        empty={
          <EmptyState icon="key" title={text.emptyApi}>
            <p>{text.emptyApiHint}</p>
            {button}
          </EmptyState>
        }
      >
        <Checkbox
          label={text.ended}
          checked={values.ended === 'true'}
          onChange={(event) => set({ ended: event.target.checked ? 'true' : '' })}
        />
        <Table caption={text.apiKeys} rows={shown} keyOf={({ id }) => id} columns={columns} />
      </List>
      {open?.what === 'create' && <ApiKeyForm onClose={close} onCreated={show} />}
      {open?.what === 'rotate' && <RotateApiKey apiKey={open.key} onClose={close} onRotated={show} />}
      <ActionDialog
        isOpen={open?.what === 'revoke'}
        onClose={close}
        title={text.revokeTitle(open?.what === 'revoke' ? open.key.name : '')}
        action={text.revoke}
        isDangerous
        isDisabled={revoke.isPending}
        onSubmit={() => open?.what === 'revoke' && revoke.mutate(open.key.id)}
      >
        <p>{text.revokeText}</p>
      </ActionDialog>
      <SecretDialog title={text.apiSecretTitle} secret={secret} onClose={() => setSecret(null)} />
    </Stack>
  )
}

/** True if the key was revoked or has expired. */
const hasEnded = ({ revoked_at: revokedAt, expires_at: at }: ApiKey, nowMs: number): boolean =>
  revokedAt !== null || (at !== null && Date.parse(at) <= nowMs)

function useColumns(mayWrite: boolean, open: (next: Open) => void): Column<ApiKey>[] {
  const text = useTexts(texts)
  const nowMs = useEnvironmentNow()
  const summaryOf = useScopesSummary()
  return [
    {
      name: 'name',
      label: text.name,
      sortBy: ({ name }) => name,
      cell: ({ name, secret_hint: hint }) => (
        <Stack as="span" gap="half">
          <strong>{name}</strong> <code>{hint}</code>
        </Stack>
      ),
    },
    {
      name: 'state',
      label: text.state,
      cell: (each) =>
        each.revoked_at !== null ? (
          <Badge>{text.revoked}</Badge>
        ) : hasEnded(each, nowMs) ? (
          <Badge tone="warn">{text.expired}</Badge>
        ) : (
          <Badge tone="good">{text.active}</Badge>
        ),
    },
    {
      name: 'kind',
      label: text.kind,
      cell: ({ kind }) => text[kind] ?? kind,
      sortBy: ({ kind }) => text[kind] ?? kind,
    },
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
          <Quiet>{text.anywhere}</Quiet>
        ) : (
          <Stack as="span" gap={0}>
            {[...networks, ...origins].slice(0, 3).map((each) => (
              <code key={each}>{each}</code>
            ))}
            {networks.length + origins.length > 3 && `+${networks.length + origins.length - 3}`}
          </Stack>
        ),
    },
    {
      name: 'used',
      label: text.lastUsed,
      sortBy: ({ last_used_at: at }) => at,
      cell: ({ last_used_at: at }) => (at === null ? text.never : <When at={at} />),
    },
    {
      name: 'expires',
      label: text.expires,
      sortBy: ({ expires_at: at }) => at,
      cell: ({ expires_at: at }) => (at === null ? text.never : <When at={at} />),
    },
    {
      name: 'actions',
      label: <span className="visually-hidden">{text.actionsColumn}</span>,
      align: 'end',
      cell: (each) =>
        mayWrite &&
        each.revoked_at === null && (
          <Menu
            trigger={<IconButton icon="more" label={text.actionsOf(each.name)} />}
            groups={[
              [{ label: text.rotate, icon: 'refresh', onSelect: () => open({ what: 'rotate', key: each }) }],
              [
                {
                  label: text.revoke,
                  icon: 'trash',
                  isDangerous: true,
                  onSelect: () => open({ what: 'revoke', key: each }),
                },
              ],
            ]}
          />
        ),
    },
  ]
}
