import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useIsLive } from '../../data/live.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Copied } from '../../design/Code.tsx'
import { Card, Columns, Quiet } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList, Page, Section } from '../../design/Page.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useTestClock } from '../shared/clock.ts'
import { EventRate } from './EventRate.tsx'
import styles from './Overview.module.css'
import { texts } from './texts.ts'
import { WebhookHealth } from './WebhookHealth.tsx'

export function Overview() {
  const text = useTexts(texts)
  const { can } = useEnvironment()
  return (
    <Page title={text.title}>
      <Columns gap={6} least="24rem">
        <Service />
        {can('audit_log:read') && <EventRate />}
      </Columns>
      {can('webhook_endpoints:read') && <WebhookHealth />}
      <Documents />
    </Page>
  )
}

const serviceKey = ['service']

function useService() {
  const { backline } = useEnvironment()
  return useQuery({
    queryKey: serviceKey,
    queryFn: () => backline.service.retrieve(),
    refetchInterval: 15_000,
  })
}

function Service() {
  const text = useTexts(texts)
  const { duration } = useFormats()
  const { name, session, backline, can } = useEnvironment()
  const isLive = useIsLive()
  const service = useService()
  const clock = useTestClock()
  const workspace = useQuery({
    queryKey: ['workspace'],
    queryFn: () => backline.workspace.retrieve(),
    enabled: can('workspace:read'),
  })
  const isReady = service.data?.status === 'ready' && !service.isError
  const offset = clock.data?.offset_seconds
  return (
    <Section title={text.service}>
      <Loaded query={service}>
        {({ version }) => (
          <DescriptionList
            items={[
              [
                text.state,
                <Badge key="state" tone={isReady ? 'good' : 'bad'}>
                  {isReady ? text.ready : text.notReady}
                </Badge>,
              ],
              [
                text.stream,
                <Badge key="stream" tone={isLive ? 'good' : 'warn'}>
                  {isLive ? text.connected : text.connecting}
                </Badge>,
              ],
              [text.version, version],
              [text.environment, text[name]],
              [text.workspace, session.workspace.name],
              [text.workspaceId, <Copied key="id" value={session.workspace.id} what={text.workspaceId} />],
              [text.url, <Copied key="url" value={session.public_url} what={text.url} />],
              ...(workspace.data
                ? [
                    [text.retention, duration(workspace.data.event_retention_days * 86_400)] as [
                      string,
                      string,
                    ],
                  ]
                : []),
              ...(offset === undefined
                ? []
                : [
                    [text.testClock, offset === 0 ? text.inTime : text.ahead(duration(offset))] as [
                      string,
                      string,
                    ],
                  ]),
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Documents() {
  const text = useTexts(texts)
  const service = useService()
  if (!service.data) return null
  const { reference, guides, problems, openapi } = service.data.links
  const links = [
    [reference, text.reference, text.referenceText],
    [guides, text.guides, text.guidesText],
    [problems, text.problems, text.problemsText],
    [openapi, text.openapi, text.openapiText],
  ]
  return (
    <Section title={text.documents}>
      <Columns as="ul" least="13rem">
        {links.map(([href, label, about]) => (
          <li key={href}>
            <Card as="a" gap={0} href={href} className={styles.document}>
              <strong>{label}</strong>
              <Quiet>{about}</Quiet>
            </Card>
          </li>
        ))}
      </Columns>
    </Section>
  )
}
