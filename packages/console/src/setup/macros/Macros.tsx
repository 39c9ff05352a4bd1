import type { Macro } from '@backline/sdk'
import { nameIn, useDepartments } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { reorderByPosition } from '../../resource/MoveButtons.tsx'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import type { MacroDraft } from './actions.ts'
import { MacroForm } from './MacroForm.tsx'
import { texts } from './texts.ts'

export function Macros() {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { backline } = useEnvironment()
  const departments = useDepartments()
  const resource: ResourceDescriptor<Macro, MacroDraft> = {
    path: 'macros',
    scope: 'macros:write',
    icon: 'bolt',
    api: backline.macros,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, description }) => `${name} ${description ?? ''}`,
    columns: [
      { name: 'name', label: text.name, cell: ({ name }) => name },
      {
        name: 'actions',
        label: text.actions,
        cell: ({ actions }) => actions.map(({ type }) => text[type] ?? type).join(', '),
      },
      {
        name: 'departments',
        label: text.departments,
        cell: ({ department_ids }) =>
          department_ids
            .map((id) => nameIn(departments.data, id))
            .filter(Boolean)
            .join(', ') || text.everywhere,
      },
      { name: 'usage', label: text.used, align: 'end', cell: ({ usage_count }) => number(usage_count) },
    ],
    draftOf: (macro) => ({
      name: macro?.name ?? '',
      description: macro?.description ?? '',
      department_ids: macro?.department_ids ?? [],
      actions: macro?.actions ?? [],
    }),
    bodyOf: (draft) => ({ ...draft, description: textOrNull(draft.description) }),
    labels: {
      name: text.name,
      description: text.description,
      department_ids: text.departments,
      actions: text.actions,
    },
    form: MacroForm,
    staysOpen: 'always',
    reorder: (items) => reorderByPosition(backline.macros, items),
  }
  return <ResourcePage resource={resource} />
}
