import type { WebhookDelivery, WebhookEndpoint } from '@backline/sdk'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Instant, When } from '../../app/Times.tsx'
import { Copied, Json } from '../../design/Code.tsx'
import { Columns, Row } from '../../design/Layout.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { useResultOf } from './DeliveryStatus.tsx'
import { mostRead, useEndpointHealth } from './queries.ts'
import { texts } from './texts.ts'

/** The settings of an endpoint, and how it has done so far. */
export function EndpointFacts({ endpoint }: { endpoint: WebhookEndpoint }) {
  const text = useTexts(texts)
  const { number, percent } = useFormats()
  const resultOf = useResultOf()
  const { data: health } = useEndpointHealth(endpoint.id)
  const finished = health ? health.counts.succeeded + health.counts.failed : 0
  const linkTo = ({ id }: WebhookDelivery, content: ReactNode) => (
    <Link href={`/webhooks/${endpoint.id}/deliveries/${id}`}>{content}</Link>
  )
  return (
    <Columns gap={6} least="22rem">
      <DescriptionList
        items={[
          [text.id, <Copied key="id" value={endpoint.id} what={text.id} />],
          [text.secret, <code key="secret">{endpoint.secret_hint}</code>],
          [
            text.events,
            <Row as="span" key="events" wraps>
              {endpoint.enabled_events.map((each) => (
                <code key={each}>{each}</code>
              ))}
            </Row>,
          ],
          [text.payload, endpoint.payload === 'full' ? text.full : text.thin],
          [text.headers, Object.keys(endpoint.headers).join(', ') || text.none],
          [
            text.conversations,
            endpoint.filter === null ? (
              text.noFilter
            ) : (
              <Json key="f" label={text.conversations} value={endpoint.filter} />
            ),
          ],
          [text.created, <Instant key="created" at={endpoint.created_at} />],
        ]}
      />
      <DescriptionList
        items={[
          [
            text.rate,
            health && finished > 0
              ? text.rateOf(
                  percent(health.counts.succeeded / finished),
                  `${number(finished)}${health.isCapped ? '+' : ''}`,
                )
              : '—',
          ],
          [text.pending, health ? number(health.counts.pending) : '—'],
          [
            text.lastSuccess,
            health?.lastSuccess
              ? linkTo(health.lastSuccess, <When at={health.lastSuccess.updated_at} />)
              : text.never,
          ],
          [
            text.lastFailure,
            health?.lastFailure ? (
              <span key="failure">
                {linkTo(health.lastFailure.delivery, <When at={health.lastFailure.attempt.at} />)}
                <br />
                {resultOf(health.lastFailure.attempt)}
              </span>
            ) : finished > mostRead ? (
              text.notLately
            ) : (
              text.never
            ),
          ],
        ]}
      />
    </Columns>
  )
}
