import type { WebhookEndpoint } from '@backline/sdk'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { When } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { Button } from '../../design/Button.tsx'
import { Select } from '../../design/Field.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { Table } from '../../design/Table.tsx'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { useTexts } from '../../texts/language.tsx'
import { SecretDialog } from '../shared/Secret.tsx'
import { useEndpointResource } from './EndpointForm.tsx'
import { EndpointState, useFaultOf } from './EndpointState.tsx'
import styles from './Endpoints.module.css'
import { Guide } from './Guide.tsx'
import { endpointsKey } from './queries.ts'
import { texts } from './texts.ts'

const statuses = ['enabled', 'paused', 'disabled'] as const

export function Endpoints() {
  const text = useTexts(texts)
  const { backline, can } = useEnvironment()
  const [, navigate] = useLocation()
  const [values, set] = useParams(['status'])
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<{ id: string; secret: string } | null>(null)
  const resource = useEndpointResource(setMade)
  const faultOf = useFaultOf()
  const status = statuses.find((each) => each === values.status)
  const query = usePages([...endpointsKey, 'list', { status }], (cursor) =>
    backline.webhookEndpoints.list({ limit: 50, cursor, status }),
  )
  const mayWrite = can('webhook_endpoints:write')
  useCommands(
    mayWrite ? [{ label: text.create, group: text.title, icon: 'plus', run: () => setOpen(true) }] : [],
  )
  const create = mayWrite && (
    <Button variant="primary" icon="plus" onClick={() => setOpen(true)}>
      {text.create}
    </Button>
  )
  return (
    <Page title={text.title} intro={text.intro} actions={create}>
      <Stack gap={3}>
        <div className={styles.filter}>
          <Select
            label={text.filterState}
            hideLabel
            value={values.status}
            onChange={(event) => set({ status: event.target.value })}
            empty={text.all}
            options={statuses.map((value) => ({ value, label: text[value] }))}
          />
        </div>
        <List
          query={query}
          empty={
            <EmptyState icon="webhook" title={text.empty}>
              <p>{text.emptyHint}</p>
              {create}
            </EmptyState>
          }
        >
          <Table<WebhookEndpoint>
            caption={text.title}
            rows={query.items}
            keyOf={({ id }) => id}
            linkOf={({ id }) => `/webhooks/${id}`}
            columns={[
              {
                name: 'url',
                label: text.url,
                cell: ({ url, description }) => (
                  <Stack as="span" gap="half" className={styles.name}>
                    <span className={styles.url}>{url}</span>
                    {description && <small>{description}</small>}
                  </Stack>
                ),
              },
              {
                name: 'state',
                label: text.state,
                cell: (endpoint) => (
                  <Stack as="span" gap="half" className={styles.name}>
                    <span>
                      <EndpointState endpoint={endpoint} />
                    </span>
                    {endpoint.status !== 'paused' && faultOf(endpoint) && <small>{faultOf(endpoint)}</small>}
                  </Stack>
                ),
              },
              {
                name: 'events',
                label: text.events,
                cell: ({ enabled_events: events }) => (
                  <Row as="span" wraps>
                    {events.slice(0, 3).map((each) => (
                      <code key={each}>{each}</code>
                    ))}
                    {events.length > 3 && <small>+{events.length - 3}</small>}
                  </Row>
                ),
              },
              { name: 'created', label: text.created, cell: ({ created_at: at }) => <When at={at} /> },
            ]}
          />
        </List>
      </Stack>
      <Guide />
      {isOpen && <ResourcePanel resource={resource} item={null} onClose={() => setOpen(false)} />}
      <SecretDialog
        title={text.secretTitle}
        secret={made?.secret ?? null}
        onClose={() => {
          setMade(null)
          if (made) navigate(`/webhooks/${made.id}`)
        }}
      >
        <p>{text.secretNote}</p>
      </SecretDialog>
    </Page>
  )
}
