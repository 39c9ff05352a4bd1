import type { View } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { Badge } from '../../design/Badge.tsx'
import { asFilter, asGroup } from '../../filters/tree.ts'
import { textOrNull } from '../../forms/changes.ts'
import type { ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourcePage } from '../../resource/ResourcePage.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { firstFilter, type ViewDraft } from './draft.ts'
import { texts } from './texts.ts'
import { ViewForm } from './ViewForm.tsx'

export function Views() {
  const text = useTexts(texts)
  const { number } = useFormats()
  const { backline } = useEnvironment()
  const counts = useQuery({
    queryKey: ['views', 'counts'],
    queryFn: () => backline.views.counts.count(),
  })
  const countOf = ({ id }: View): string => {
    const found = counts.data?.data.find(({ view_id }) => view_id === id)
    return found?.count == null ? '–' : `${number(found.count)}${found.more ? '+' : ''}`
  }
  const resource: ResourceDescriptor<View, ViewDraft> = {
    path: 'views',
    scope: 'views:write',
    icon: 'view',
    api: backline.views,
    texts: text,
    nameOf: ({ name }) => name,
    searchText: ({ name, description }) => `${name} ${description ?? ''}`,
    columns: [
      {
        name: 'name',
        label: text.name,
        cell: ({ name, broken }) => (
          <>
            {name} {broken && <Badge tone="bad">{text.broken}</Badge>}
          </>
        ),
      },
      { name: 'description', label: text.description, cell: ({ description }) => description ?? '' },
      { name: 'applies', label: text.appliesTo, cell: ({ applies_to }) => text[applies_to] ?? applies_to },
      {
        name: 'visibility',
        label: text.visibility,
        cell: ({ visibility: { operator_ids, department_ids } }) => {
          const count = operator_ids.length + department_ids.length
          return count === 0 ? text.everybody : text.some(count)
        },
      },
      { name: 'count', label: text.matches, align: 'end', cell: countOf },
    ],
    draftOf: (view) => ({
      name: view?.name ?? '',
      description: view?.description ?? '',
      applies_to: view?.applies_to ?? 'conversation',
      filter: view ? asGroup(view.filter) : firstFilter.conversation,
      sort: view?.sort ?? '-created_at',
      columns: view?.columns ?? [],
      visibility: view?.visibility ?? { operator_ids: [], department_ids: [] },
    }),
    bodyOf: (draft) => ({
      ...draft,
      description: textOrNull(draft.description),
      filter: asFilter(draft.filter),
    }),
    labels: {
      name: text.name,
      description: text.description,
      applies_to: text.appliesTo,
      filter: text.filter,
      sort: text.sort,
      columns: text.columns,
      visibility: text.visibility,
    },
    form: ViewForm,
    width: 'wide',
    reorder: (items) => backline.views.reorder({ ids: items.map(({ id }) => id) }),
  }
  return <ResourcePage resource={resource} />
}
