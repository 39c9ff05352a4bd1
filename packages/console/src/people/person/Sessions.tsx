import type { EndUser, EndUserSession } from '@backline/sdk'
import { useState } from 'react'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useNow } from '../../data/now.ts'
import { useWrite } from '../../data/write.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { Quiet } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Section } from '../../design/Page.tsx'
import { Table } from '../../design/Table.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'

/** The sessions in which a person uses the client's app, and a way to end them all. */
export function Sessions({ person }: { person: EndUser }) {
  const text = useTexts(texts)
  const toast = useToast()
  const nowMs = useNow()
  const { backline, can } = useEnvironment()
  const [isAsking, setAsking] = useState(false)
  const key = ['end_user_sessions', person.id]
  const query = usePages<EndUserSession>(key, (cursor, signal) =>
    backline.endUserSessions.list({ end_user_id: person.id, limit: 10, cursor }, { signal }),
  )
  const revoke = useWrite({
    run: () => backline.endUsers.sessions.revoke(person.id),
    refresh: [key],
    failed: text.sessionsNotEnded,
    onDone() {
      setAsking(false)
      toast.done({ title: text.sessionsEnded })
    },
  })
  const isActive = ({ revoked_at: revokedAt, expires_at: at }: EndUserSession) =>
    revokedAt === null && Date.parse(at) > nowMs
  const canEnd = can('end_user_sessions:write') && query.items.some(isActive)
  return (
    <Section
      title={text.sessions}
      actions={canEnd && <Button onClick={() => setAsking(true)}>{text.endSessions}</Button>}
    >
      <List query={query} empty={<Quiet as="p">{text.noSessions}</Quiet>}>
        <Table
          caption={text.sessions}
          rows={query.items}
          keyOf={({ id }) => id}
          columns={[
            { name: 'by', label: text.startedBy, cell: ({ created_by: by }) => text[by] ?? by },
            {
              name: 'state',
              label: text.state,
              cell: (each) => (
                <Badge tone={isActive(each) ? 'good' : 'neutral'}>
                  {isActive(each) ? text.active : each.revoked_at ? text.revoked : text.expired}
                </Badge>
              ),
            },
            { name: 'begun', label: text.begun, cell: ({ created_at: at }) => <When at={at} /> },
            {
              name: 'used',
              label: text.lastUsed,
              cell: ({ last_used_at: at }) => (at ? <When at={at} /> : text.never),
            },
            { name: 'expires', label: text.expires, cell: ({ expires_at: at }) => <When at={at} /> },
          ]}
        />
      </List>
      <ActionDialog
        isOpen={isAsking}
        title={text.endSessionsTitle}
        action={text.endSessions}
        isDangerous
        isDisabled={revoke.isPending}
        onSubmit={() => revoke.mutate()}
        onClose={() => setAsking(false)}
      >
        <p>{text.endSessionsHint}</p>
      </ActionDialog>
    </Section>
  )
}
