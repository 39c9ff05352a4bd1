import type { EndUser } from '@backline/sdk'
import { type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import { When } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { keyOfColumn, type PersonColumn } from '../../data/columns.ts'
import { useCompanies, useCustomFields, useNames } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useSettled } from '../../data/settled.ts'
import { Avatar } from '../../design/Avatar.tsx'
import { Select } from '../../design/Field.tsx'
import { Row, Truncated } from '../../design/Layout.tsx'
import { EmptyState } from '../../design/States.tsx'
import { nameOfEndUser } from '../../inbox/model/people.ts'
import type { Value } from '../../inbox/side/fields/types.ts'
import { useValueTexts } from '../../inbox/side/fields/value.tsx'
import { CreateButton } from '../../resource/ResourcePage.tsx'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { fieldTexts } from '../../texts/fields.ts'
import { useTexts } from '../../texts/language.tsx'
import { pageTexts } from '../../texts/pages.ts'
import { endUserStatuses } from '../../texts/values.ts'
import { listKey } from '../shared/events.ts'
import { ListPage, type RowColumn } from '../shared/ListPage.tsx'
import { texts } from '../texts.ts'
import { Marks } from './Marks.tsx'
import { usePersonResource } from './resource.tsx'
import { SavedViews, useSavedView } from './SavedViews.tsx'

const sorts = ['-created_at', 'created_at', '-last_seen_at', 'name'] as const
const parameters = ['q', 'status', 'sort', 'view'] as const

type Page = { data: EndUser[]; has_more: boolean; next_cursor: string | null }

/** All end users: by words, by status, or those of a saved view. */
export function PeopleList() {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const [values, set] = useParams(parameters)
  const [isCreating, setCreating] = useState(false)
  const resource = usePersonResource()
  const q = useSettled(values.q.trim()) || undefined
  const view = useSavedView(values.view)
  const status = endUserStatuses.find((each) => each === values.status)
  const sort = sorts.find((each) => each === values.sort)
  const listed = [...listKey('end_users'), view?.id ?? null]
  const query = usePages<EndUser>(
    [...listed, view ? { q } : { q, status, sort }],
    (cursor, signal) =>
      view
        ? (backline.views.items.list(view.id, { limit: 50, cursor, q }, { signal }) as PromiseLike<Page>)
        : backline.endUsers.list({ limit: 50, cursor, q, status, sort }, { signal }),
    listed,
  )
  const isFiltered = q !== undefined || status !== undefined || view !== null
  return (
    <>
      <SavedViews />
      <ListPage
        title={view?.name ?? labels.people}
        searchLabel={text.searchPeople}
        q={values.q}
        onSearch={(typed) => set({ q: typed })}
        filters={
          view === null && (
            <>
              <Select
                label={text.status}
                hideLabel
                empty={text.statusPresent}
                options={endUserStatuses.map((value) => ({ value, label: text[value] }))}
                value={status ?? ''}
                onChange={(event) => set({ status: event.target.value })}
              />
              <Select
                label={text.sort}
                hideLabel
                options={sorts.map((value) => ({ value, label: text[value] }))}
                value={sort ?? sorts[0]}
                onChange={(event) => set({ sort: event.target.value })}
              />
            </>
          )
        }
        actions={
          <CreateButton
            resource={{
              scope: 'end_users:write',
              texts: { title: labels.people, create: text.createPerson },
            }}
            onCreate={() => setCreating(true)}
          />
        }
        columns={useColumns(view?.columns ?? [])}
        query={query}
        hrefOf={({ id }) => `/${id}`}
        empty={
          isFiltered ? (
            <EmptyState icon="search" title={text.nobodyFound} />
          ) : (
            <EmptyState icon="users" title={text.noPeople}>
              <p>{text.noPeopleMore}</p>
            </EmptyState>
          )
        }
      />
      {isCreating && (
        <ResourcePanel
          resource={{ ...resource, onCreated: ({ id }) => navigate(`/${id}`) }}
          item={null}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  )
}

const usual = ['email', 'company', 'external_id', 'last_seen_at']

/** The name, and the columns that a view has chosen, or the usual ones. */
function useColumns(chosen: readonly string[]): RowColumn<EndUser>[] {
  const text = useTexts(texts)
  const names: Partial<Record<string, string>> = useTexts(fieldTexts)
  const { can } = useEnvironment()
  const companyOf = useNames(useCompanies().data)
  const describe = useValueTexts()
  const fields = useCustomFields().data ?? []
  const cells: Record<PersonColumn, (person: EndUser) => ReactNode> = {
    email: ({ emails, phones }) => emails[0]?.address ?? (chosen.includes('phone') ? '' : (phones[0] ?? '')),
    phone: ({ phones }) => phones[0] ?? '',
    company: ({ company_ids }) =>
      company_ids
        .map(companyOf)
        .filter((name) => name !== undefined)
        .join(', '),
    status: ({ status }) => text[status],
    language: ({ language }) => language ?? '',
    external_id: ({ external_id }) => external_id ?? '',
    last_seen_at: ({ last_seen_at: at }) => at && <When at={at} />,
    created_at: ({ created_at }) => <When at={created_at} />,
  }
  const known = chosen.filter((name) => name in cells || keyOfColumn(name) !== null)
  return [
    {
      name: 'name',
      label: text.name,
      width: 'minmax(0, 2fr)',
      cell: (person) => (
        <Row as="span">
          <Avatar name={nameOfEndUser(person) ?? '?'} />
          <Truncated as="strong">{nameOfEndUser(person) ?? text.noName}</Truncated>
          <Marks person={person} />
        </Row>
      ),
    },
    ...(known.length > 0 ? known : usual)
      .filter((name) => name !== 'company' || can('companies:read'))
      .map((name) => {
        const cell = cells[name as PersonColumn]
        const key = keyOfColumn(name)
        const field = fields.find((each) => each.applies_to === 'end_user' && each.key === key)
        return {
          name,
          label: names[name] ?? field?.name ?? name,
          width: `minmax(0, ${widths[name] ?? '1fr'})`,
          cell:
            cell ??
            (({ custom_fields }: EndUser) =>
              field ? describe(field, (custom_fields[key!] ?? null) as Value) : ''),
        }
      }),
  ]
}

const widths: Partial<Record<string, string>> = {
  email: '2fr',
  company: '1.3fr',
  last_seen_at: '7rem',
  created_at: '7rem',
}
