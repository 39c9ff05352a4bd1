import type { Department } from '@backline/sdk'
import { nameIn, useDepartments, useOperators, useSlaConfigs } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useTexts } from '../../texts/language.tsx'
import { claimingTexts } from '../claiming/texts.ts'
import { DepartmentForm } from './DepartmentForm.tsx'
import type { DepartmentDraft } from './draft.ts'
import { texts } from './texts.ts'

export function Departments() {
  const text = useTexts(texts)
  const claiming = useTexts(claimingTexts)
  const { backline } = useEnvironment()
  const departments = useDepartments()
  const configs = useSlaConfigs()
  const operators = useOperators()
  const membersOf = (id: string) => operators.data?.filter((each) => each.department_ids.includes(id)).length
  const resource: ResourceDescriptor<Department, DepartmentDraft> = {
    path: 'departments',
    scope: 'departments:write',
    icon: 'building',
    api: backline.departments,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, description, email }) => `${name} ${description ?? ''} ${email ?? ''}`,
    columns: [
      { name: 'name', label: text.name, cell: ({ name }) => name },
      { name: 'strategy', label: text.assignment, cell: ({ assignment }) => text[assignment.strategy] },
      {
        name: 'members',
        label: text.members,
        align: 'end',
        cell: ({ id }) => membersOf(id) ?? '',
        sortBy: ({ id }) => membersOf(id) ?? null,
      },
      {
        name: 'fallback',
        label: text.fallback,
        cell: ({ fallback_department_id }) => nameIn(departments.data, fallback_department_id) ?? '–',
      },
      {
        name: 'sla',
        label: text.sla,
        cell: ({ default_sla_config_id }) => nameIn(configs.data, default_sla_config_id) ?? '–',
      },
    ],
    draftOf: (department) => ({
      name: department?.name ?? '',
      description: department?.description ?? '',
      email: department?.email ?? '',
      public: department?.public ?? false,
      assignment: department?.assignment ?? { strategy: 'manual', max_open_per_operator: null },
      claim_order: department?.claim_order ?? 'waiting',
      reply_assigns: department?.reply_assigns ?? true,
      fallback_department_id: department?.fallback_department_id ?? null,
      default_sla_config_id: department?.default_sla_config_id ?? null,
    }),
    bodyOf: (draft) => ({
      ...draft,
      description: textOrNull(draft.description),
      email: textOrNull(draft.email),
    }),
    labels: {
      name: text.name,
      description: text.description,
      email: text.emailAddress,
      public: text.isPublic,
      assignment: text.assignment,
      claim_order: claiming.claimOrder,
      reply_assigns: claiming.replyAssigns,
      fallback_department_id: text.fallback,
      default_sla_config_id: text.sla,
    },
    form: DepartmentForm,
    staysOpen: 'created',
  }
  return <ResourcePage resource={resource} />
}
