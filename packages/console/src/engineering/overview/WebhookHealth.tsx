import type { WebhookEndpoint } from '@backline/sdk'
import { Link } from 'wouter'
import { Icon } from '../../design/Icon.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Section } from '../../design/Page.tsx'
import { Table } from '../../design/Table.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { EndpointState, stateOf, useFaultOf } from '../webhooks/EndpointState.tsx'
import { useEndpointHealth, useEndpoints } from '../webhooks/queries.ts'
import styles from './Overview.module.css'
import { texts } from './texts.ts'

/** Endpoints that do not receive everything, with what waits for them. */
export function WebhookHealth() {
  const text = useTexts(texts)
  const faultOf = useFaultOf()
  const query = useEndpoints()
  return (
    <Section title={text.webhooks} actions={<Link href="/webhooks">{text.allEndpoints}</Link>}>
      <Loaded query={query}>
        {(endpoints) => {
          const faulty = endpoints.filter((endpoint) => stateOf(endpoint) !== 'enabled')
          if (endpoints.length === 0) return <p>{text.noWebhooks}</p>
          if (faulty.length === 0)
            return (
              <Row as="p" className={styles.good}>
                <Icon name="check" /> {text.webhooksGood}
              </Row>
            )
          return (
            <Table<WebhookEndpoint>
              caption={text.webhooks}
              rows={faulty}
              keyOf={({ id }) => id}
              linkOf={({ id }) => `/webhooks/${id}`}
              columns={[
                {
                  name: 'url',
                  label: text.endpoint,
                  cell: (endpoint) => (
                    <Stack as="span" gap="half" className={styles.name}>
                      {endpoint.url}
                      <small>{faultOf(endpoint)}</small>
                    </Stack>
                  ),
                },
                {
                  name: 'state',
                  label: text.state,
                  cell: (endpoint) => <EndpointState endpoint={endpoint} />,
                },
                {
                  name: 'pending',
                  label: text.pending,
                  align: 'end',
                  cell: ({ id }) => <Count id={id} status="pending" />,
                },
                {
                  name: 'failed',
                  label: text.failed,
                  align: 'end',
                  cell: ({ id }) => <Count id={id} status="failed" />,
                },
              ]}
            />
          )
        }}
      </Loaded>
    </Section>
  )
}

function Count({ id, status }: { id: string; status: 'pending' | 'failed' }) {
  const { number } = useFormats()
  const { data } = useEndpointHealth(id)
  return data ? number(data.counts[status]) : '…'
}
