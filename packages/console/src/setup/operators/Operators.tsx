import type { Operator } from '@backline/sdk'
import { useState } from 'react'
import { nameIn, useDepartments } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { Avatar } from '../../design/Avatar.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { Load } from '../../team/Load.tsx'
import { useTexts } from '../../texts/language.tsx'
import { ArchiveDialog } from './ArchiveDialog.tsx'
import { isLastAdmin, type OperatorDraft, operatorsApi } from './api.ts'
import { InviteDialog } from './InviteDialog.tsx'
import { OperatorForm } from './OperatorForm.tsx'
import { texts } from './texts.ts'

export function Operators() {
  const text = useTexts(texts)
  const { backline, operator: self } = useEnvironment()
  const departments = useDepartments()
  const [invited, setInvited] = useState<Operator | null>(null)
  const resource: ResourceDescriptor<Operator, OperatorDraft> = {
    path: 'operators',
    scope: 'operators:write',
    icon: 'users',
    api: operatorsApi(backline),
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, email }) => `${name} ${email}`,
    columns: [
      {
        name: 'name',
        label: text.name,
        cell: ({ id, name, status }) => (
          <Row as="span">
            <Avatar name={name} presence={status} /> {name}
            {id === self.id && <Quiet>({text.self})</Quiet>}
          </Row>
        ),
      },
      { name: 'email', label: text.emailAddress, cell: ({ email }) => email },
      {
        name: 'role',
        label: text.role,
        sortBy: ({ role }) => text[role] ?? role,
        cell: ({ role }) => <Badge tone={role === 'admin' ? 'info' : 'neutral'}>{text[role] ?? role}</Badge>,
      },
      {
        name: 'departments',
        label: text.departments,
        cell: ({ department_ids }) =>
          department_ids
            .map((id) => nameIn(departments.data, id))
            .filter(Boolean)
            .join(', ') || <Quiet>–</Quiet>,
      },
      {
        name: 'load',
        label: text.load,
        sortBy: ({ open_conversations }) => open_conversations,
        cell: ({ open_conversations, capacity }) => <Load open={open_conversations} capacity={capacity} />,
      },
    ],
    draftOf: (operator) => ({
      name: operator?.name ?? '',
      email: operator?.email ?? '',
      role: operator?.role ?? 'agent',
      capacity: operator?.capacity ?? null,
      timezone: operator?.timezone ?? null,
      department_ids: operator?.department_ids ?? [],
    }),
    labels: {
      name: text.name,
      email: text.emailAddress,
      role: text.role,
      capacity: text.capacity,
      timezone: text.timezone,
      department_ids: text.departments,
    },
    form: OperatorForm,
    archiveDialog: ArchiveDialog,
    actionsOf: (operator) =>
      operator.archived ? [] : [{ label: text.invite, icon: 'link', onSelect: () => setInvited(operator) }],
    refusalOf: (error) => (isLastAdmin(error) ? { pointer: '/role', detail: text.lastAdmin } : null),
  }
  return (
    <>
      <ResourcePage resource={resource} />
      {invited && <InviteDialog operator={invited} onClose={() => setInvited(null)} />}
    </>
  )
}
