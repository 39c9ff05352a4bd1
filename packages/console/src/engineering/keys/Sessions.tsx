import type { ConsoleSession } from '@backline/sdk'
import { useState } from 'react'
import { RealWhen } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { nameIn, optionsOf, useEveryOperator } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useRealNow } from '../../data/now.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { Select } from '../../design/Field.tsx'
import { Row, Stack, Truncated } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { EmptyState } from '../../design/States.tsx'
import { Table } from '../../design/Table.tsx'
import { useTexts } from '../../texts/language.tsx'
import { shortId } from '../shared/ids.ts'
import styles from './Keys.module.css'
import { texts } from './texts.ts'

const key = ['console_sessions']
/** A session without requests ends after this time. */
const idleMs = 12 * 3_600_000

export function Sessions() {
  const text = useTexts(texts)
  const nowMs = useRealNow()
  const { backline, can, session } = useEnvironment()
  const [values, set] = useParams(['operator'])
  const [ending, setEnding] = useState<ConsoleSession | null>(null)
  const operators = useEveryOperator()
  const query = usePages([...key, 'list', values.operator], (cursor) =>
    backline.consoleSessions.list({ limit: 50, cursor, operator_id: values.operator || undefined }),
  )
  const revoke = useWrite({
    run: (id: string) => backline.consoleSessions.revoke(id),
    refresh: [key],
    failed: text.revokeFailed,
    onDone: () => setEnding(null),
  })
  const nameOf = ({ operator_id: id }: ConsoleSession) => nameIn(operators.data, id) ?? shortId(id)
  const isOwn = ({ id }: ConsoleSession) =>
    Object.values(session.environments).some((membership) => membership?.session_id === id)
  const hasEnded = ({ expires_at: at, last_used_at: usedAt, revoked_at: revokedAt }: ConsoleSession) =>
    revokedAt !== null || Date.parse(at) <= nowMs || Date.parse(usedAt) + idleMs <= nowMs
  return (
    <Stack gap={4}>
      <Row gap={3} wraps align="start" justify="between" className={styles.head}>
        <p>{text.sessionsIntro}</p>
        <Select
          label={text.operator}
          hideLabel
          value={values.operator}
          onChange={(event) => set({ operator: event.target.value })}
          empty={text.allOperators}
          options={optionsOf(operators.data)}
        />
      </Row>
      <List query={query} empty={<EmptyState icon="user" title={text.emptySessions} />}>
        <Table<ConsoleSession>
          caption={text.sessions}
          rows={query.items}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'operator',
              label: text.operator,
              cell: (each) => <strong>{nameOf(each)}</strong>,
            },
            {
              name: 'state',
              label: text.state,
              cell: (each) =>
                each.revoked_at !== null ? (
                  <Badge>{text.revoked}</Badge>
                ) : hasEnded(each) ? (
                  <Badge>{text.expired}</Badge>
                ) : (
                  <Badge tone={isOwn(each) ? 'info' : 'good'}>
                    {isOwn(each) ? text.ownSession : text.active}
                  </Badge>
                ),
            },
            { name: 'by', label: text.by, cell: ({ created_by: by }) => text[by] ?? by },
            { name: 'address', label: text.address, cell: ({ ip }) => <code>{ip ?? '—'}</code> },
            {
              name: 'browser',
              label: text.browser,
              cell: ({ user_agent: agent }) => (
                <Truncated as="small" lines={2} title={agent ?? undefined}>
                  {agent ?? '—'}
                </Truncated>
              ),
            },
            { name: 'used', label: text.lastUsed, cell: ({ last_used_at: at }) => <RealWhen at={at} /> },
            {
              name: 'expires',
              label: text.expires,
              cell: (each) => (each.revoked_at === null ? <RealWhen at={each.expires_at} /> : '—'),
            },
            {
              name: 'actions',
              label: <span className="visually-hidden">{text.actionsColumn}</span>,
              align: 'end',
              cell: (each) =>
                can('operators:write') &&
                !hasEnded(each) &&
                !isOwn(each) && <Button onClick={() => setEnding(each)}>{text.revokeSession}</Button>,
            },
          ]}
        />
      </List>
      <ActionDialog
        isOpen={ending !== null}
        onClose={() => setEnding(null)}
        title={text.revokeSessionTitle(ending ? nameOf(ending) : '')}
        action={text.revokeSession}
        isDangerous
        isDisabled={revoke.isPending}
        onSubmit={() => ending && revoke.mutate(ending.id)}
      >
        <p>{text.revokeSessionText}</p>
      </ActionDialog>
    </Stack>
  )
}
