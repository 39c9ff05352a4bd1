import type { Mailbox } from '@backline/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useDepartmentNames } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useAll } from '../../data/lists.ts'
import { Checkbox } from '../../design/Field.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { Table } from '../../design/Table.tsx'
import { CreateButton } from '../../resource/ResourcePage.tsx'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { useTexts } from '../../texts/language.tsx'
import { MailboxState } from './MailboxState.tsx'
import { useMailboxResource } from './resource.ts'
import { texts } from './texts.ts'

export function Mailboxes() {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const [isArchived, setArchived] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const departmentName = useDepartmentNames()
  const resource = useMailboxResource(({ id }) => navigate(`/mailboxes/${id}`))
  const list = useAll<Mailbox>(['mailboxes', isArchived ? 'archived' : 'active'], () =>
    backline.mailboxes.list({ limit: 100, archived: isArchived ? 'true' : 'false', sort: 'created_at' }),
  )
  return (
    <Page
      title={text.title}
      intro={text.intro}
      actions={
        <CreateButton resource={{ scope: 'mailboxes:write', texts: text }} onCreate={() => setOpen(true)} />
      }
    >
      <Stack gap={3}>
        <Row justify="end">
          <Checkbox
            label={text.showArchived}
            checked={isArchived}
            onChange={(event) => setArchived(event.target.checked)}
          />
        </Row>
        <Loaded query={list}>
          {(mailboxes) =>
            mailboxes.length === 0 ? (
              <EmptyState icon="mail" title={text.none}>
                <p>{text.emptyHint}</p>
              </EmptyState>
            ) : (
              <Table
                caption={text.title}
                rows={mailboxes}
                keyOf={({ id }) => id}
                linkOf={({ id }) => `/mailboxes/${id}`}
                columns={[
                  {
                    name: 'address',
                    label: text.address,
                    cell: ({ address, aliases }) => (
                      <Stack as="span" gap="half">
                        <span>{address}</span>
                        {aliases.length > 0 && <small>{aliases.join(', ')}</small>}
                      </Stack>
                    ),
                  },
                  {
                    name: 'state',
                    label: text.state,
                    cell: (mailbox) => <MailboxState mailbox={mailbox} />,
                  },
                  {
                    name: 'department',
                    label: text.department,
                    cell: ({ department_id }) => departmentName(department_id) ?? '–',
                  },
                  {
                    name: 'outbound',
                    label: text.sending,
                    cell: ({ outbound }) => text[outbound] ?? outbound,
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Stack>
      {isOpen && <ResourcePanel resource={resource} item={null} onClose={() => setOpen(false)} />}
    </Page>
  )
}
