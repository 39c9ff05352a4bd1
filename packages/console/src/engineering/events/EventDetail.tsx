import { type Event, NotFoundError } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useConversationPath } from '../../app/area-paths.ts'
import { Instant } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Copied, Json } from '../../design/Code.tsx'
import { Row } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { Tabs } from '../../design/Tabs.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useActorName } from '../shared/actor-names.ts'
import { Changes } from '../shared/Changes.tsx'
import { Detail, Part } from '../shared/Detail.tsx'
import { entryIdOf } from '../shared/ids.ts'
import { EventDeliveries } from './EventDeliveries.tsx'
import { conversationOf } from './rows.ts'
import { texts } from './texts.ts'

/** An event by its id: its envelope, what changed, where it was sent. */
export function EventDetail({ id, onClose }: { id: string; onClose(): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const query = useQuery({
    queryKey: ['events', id],
    queryFn: () => backline.events.retrieve(id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Detail title={query.data?.type ?? text.event} onClose={onClose}>
      {query.error instanceof NotFoundError ? (
        <EmptyState icon="clock" title={text.gone}>
          <Link href={`/audit/${entryIdOf(id)}`}>{text.audit}</Link>
        </EmptyState>
      ) : (
        <Loaded query={query}>{(event) => <Content event={event} />}</Loaded>
      )}
    </Detail>
  )
}

function Content({ event }: { event: Event }) {
  const text = useTexts(texts)
  const [tab, setTab] = useState<'object' | 'raw'>('object')
  const nameOf = useActorName()
  const conversationPath = useConversationPath()
  const { can } = useEnvironment()
  const conversation = conversationOf(event)
  const object = event.data.object as Record<string, unknown>
  const changes = Object.fromEntries(
    Object.entries(event.data.previous).map(([field, from]) => [field, { from, to: object[field] }]),
  )
  return (
    <>
      <DescriptionList
        items={[
          [text.id, <Copied key="id" value={event.id} what={text.id} />],
          [text.time, <Instant toSecond key="time" at={event.created_at} />],
          [text.actor, nameOf(event.actor)],
          [
            text.request,
            event.request.id === null ? '—' : <Copied key="r" value={event.request.id} what={text.request} />,
          ],
          [
            text.key,
            event.request.idempotency_key === null ? (
              '—'
            ) : (
              <Copied key="k" value={event.request.idempotency_key} what={text.key} />
            ),
          ],
          [text.about, <Copied key="a" value={event.resource.id} what={text.about} />],
          [text.version, String(event.resource.version)],
        ]}
      />
      <Row as="ul" gap={3} wraps>
        {conversation !== null && (
          <li>
            <Link href={conversationPath(conversation)}>{text.open}</Link>
          </li>
        )}
        {conversation !== null && (
          <li>
            <Link href={`/events?conversation=${conversation}`}>{text.allOfConversation}</Link>
          </li>
        )}
        <li>
          <Link href={`/events?resource=${event.resource.id}`}>{text.allOfResource}</Link>
        </li>
        <li>
          <Link href={`/audit/${entryIdOf(event.id)}`}>{text.audit}</Link>
        </li>
        {event.request.id !== null && can('request_log:read') && (
          <li>
            <Link href={`/requests/${event.request.id}`}>{text.itsRequest}</Link>
          </li>
        )}
      </Row>
      <Part title={text.changes}>
        {Object.keys(changes).length === 0 ? (
          <p>{text.noChanges}</p>
        ) : (
          <Changes changes={changes} caption={text.changes} />
        )}
      </Part>
      <Part title={text.deliveries}>
        <EventDeliveries event={event} />
      </Part>
      <Tabs
        chosen={tab}
        onSelect={(name) => setTab(name)}
        tabs={[
          { name: 'object', label: text.object, content: <Json label={text.object} value={object} /> },
          { name: 'raw', label: text.raw, content: <Json label={text.raw} value={event} /> },
        ]}
      />
    </>
  )
}
