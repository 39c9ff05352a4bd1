import type { Company } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Copied } from '../../design/Code.tsx'
import { Row } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Menu } from '../../design/Menu.tsx'
import { DescriptionList, Page, Section } from '../../design/Page.tsx'
import { Metadata } from '../../inbox/side/details/Details.tsx'
import { CustomFields } from '../../inbox/side/fields/CustomFields.tsx'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { useRemoval } from '../../resource/use-removal.tsx'
import { useTexts } from '../../texts/language.tsx'
import { pageTexts } from '../../texts/pages.ts'
import { RelatedConversations } from '../shared/RelatedConversations.tsx'
import { TwoColumns } from '../shared/TwoColumns.tsx'
import { texts } from '../texts.ts'
import { CompanyPeople } from './CompanyPeople.tsx'
import { useCompanyResource } from './resource.tsx'

/** Everything about a company. */
export function CompanyPage({ id }: { id: string }) {
  const { backline } = useEnvironment()
  const query = useQuery({
    queryKey: ['companies', id],
    queryFn: ({ signal }) => backline.companies.retrieve(id, { signal }),
  })
  return (
    <Loaded query={query} lines={9}>
      {(company) => <Known company={company} />}
    </Loaded>
  )
}

function Known({ company }: { company: Company }) {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const { backline, can } = useEnvironment()
  const [, navigate] = useLocation()
  const [isEditing, setEditing] = useState(false)
  const resource = useCompanyResource()
  const leave = () => navigate('/')
  const removal = useRemoval(resource, leave)
  const { id, name, archived } = company
  const mayWrite = can('companies:write')
  const edit = () => setEditing(true)
  useCommands(mayWrite ? [{ label: text.edit, group: name, icon: 'edit', shortcut: 'e', run: edit }] : [])
  return (
    <Page
      title={name}
      intro={
        <Row as="span" wraps>
          <Link href="/">{labels.companies}</Link>
          {archived && <Badge>{text.archived}</Badge>}
        </Row>
      }
      actions={
        mayWrite && (
          <>
            <Button icon="edit" onClick={edit}>
              {text.edit}
            </Button>
            <Menu
              trigger={<IconButton icon="more" variant="normal" label={text.moreActions} />}
              groups={[removal.itemsFor(company)]}
            />
          </>
        )
      }
    >
      <TwoColumns
        facts={
          <Section title={text.details}>
            <DescriptionList items={useFacts(company)} />
            <CustomFields
              appliesTo="company"
              object={company}
              queryKey={['companies', id]}
              isEditable={mayWrite}
              read={() => backline.companies.retrieve(id)}
              write={(custom_fields, options) => backline.companies.update(id, { custom_fields }, options)}
            />
            <Metadata metadata={company.metadata} />
          </Section>
        }
      >
        {can('end_users:read') && (
          <Section title={text.peopleCount(company.end_user_count)}>
            <CompanyPeople companyId={id} />
          </Section>
        )}
        {can('conversations:read') && (
          <Section title={text.conversations}>
            <RelatedConversations of={{ company_id: id }} />
          </Section>
        )}
      </TwoColumns>
      {removal.dialog}
      {isEditing && (
        <ResourcePanel
          resource={resource}
          item={company}
          onClose={() => setEditing(false)}
          onRemoved={leave}
        />
      )}
    </Page>
  )
}

function useFacts({ id, domains, external_id, created_at }: Company): [string, ReactNode][] {
  const text = useTexts(texts)
  const facts: [string, ReactNode][] = []
  if (domains.length > 0)
    facts.push([
      text.domains,
      domains.map((domain) => <Copied key={domain} value={domain} what={text.domains} isText />),
    ])
  if (external_id)
    facts.push([text.externalId, <Copied key="external" value={external_id} what={text.externalId} />])
  facts.push([text.created, <When key="created" at={created_at} />])
  facts.push(['ID', <Copied key="id" value={id} what="ID" />])
  return facts
}
