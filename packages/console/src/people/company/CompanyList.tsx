import type { Company } from '@backline/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { When } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useSettled } from '../../data/settled.ts'
import { Avatar } from '../../design/Avatar.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Checkbox, Select } from '../../design/Field.tsx'
import { Row, Truncated } from '../../design/Layout.tsx'
import { EmptyState } from '../../design/States.tsx'
import { CreateButton } from '../../resource/ResourcePage.tsx'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { useTexts } from '../../texts/language.tsx'
import { pageTexts } from '../../texts/pages.ts'
import { listKey } from '../shared/events.ts'
import { ListPage, type RowColumn } from '../shared/ListPage.tsx'
import { texts } from '../texts.ts'
import { useCompanyResource } from './resource.tsx'

const sorts = ['name', '-created_at', 'created_at'] as const
const parameters = ['q', 'archived', 'sort'] as const

/** All companies. */
export function CompanyList() {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const [values, set] = useParams(parameters)
  const [isCreating, setCreating] = useState(false)
  const resource = useCompanyResource()
  const q = useSettled(values.q.trim()) || undefined
  const archived = values.archived === 'true' ? 'true' : 'false'
  const sort = sorts.find((each) => each === values.sort) ?? sorts[0]
  const query = usePages<Company>(
    [...listKey('companies'), { q, archived, sort }],
    (cursor, signal) => backline.companies.list({ limit: 50, cursor, q, archived, sort }, { signal }),
    listKey('companies'),
  )
  return (
    <>
      <ListPage
        title={labels.companies}
        searchLabel={text.searchCompanies}
        q={values.q}
        onSearch={(typed) => set({ q: typed })}
        filters={
          <>
            <Select
              label={text.sort}
              hideLabel
              options={sorts.map((value) => ({ value, label: text[value] }))}
              value={sort}
              onChange={(event) => set({ sort: event.target.value })}
            />
            <Checkbox
              label={text.showArchived}
              checked={archived === 'true'}
              onChange={(event) => set({ archived: event.target.checked ? 'true' : '' })}
            />
          </>
        }
        actions={
          <CreateButton
            resource={{
              scope: 'companies:write',
              texts: { title: labels.companies, create: text.createCompany },
            }}
            onCreate={() => setCreating(true)}
          />
        }
        columns={useColumns()}
        query={query}
        hrefOf={({ id }) => `/${id}`}
        empty={
          q !== undefined ? (
            <EmptyState icon="search" title={text.nothingFound} />
          ) : (
            <EmptyState icon="building" title={text.noCompanies}>
              <p>{text.noCompaniesMore}</p>
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

function useColumns(): RowColumn<Company>[] {
  const text = useTexts(texts)
  return [
    {
      name: 'name',
      label: text.name,
      width: 'minmax(0, 2fr)',
      cell: ({ name, archived }) => (
        <Row as="span">
          <Avatar name={name} />
          <Truncated as="strong">{name}</Truncated>
          {archived && <Badge>{text.archived}</Badge>}
        </Row>
      ),
    },
    {
      name: 'people',
      label: text.people,
      width: 'minmax(0, 1fr)',
      cell: ({ end_user_count: count }) => text.peopleCount(count),
    },
    {
      name: 'domains',
      label: text.domains,
      width: 'minmax(0, 2fr)',
      cell: ({ domains }) => domains.join(', '),
    },
    {
      name: 'external_id',
      label: text.externalId,
      width: 'minmax(0, 1fr)',
      cell: ({ external_id }) => external_id ?? '',
    },
    {
      name: 'created',
      label: text.created,
      width: 'minmax(0, 7rem)',
      cell: ({ created_at: at }) => <When at={at} />,
    },
  ]
}
