import { type LoggedRequest, NotFoundError } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Instant } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Copied, Json } from '../../design/Code.tsx'
import { Row } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { isId } from '../events/filters.ts'
import { useActorNames } from '../shared/actor-names.ts'
import { Detail, Part } from '../shared/Detail.tsx'
import { toneOf } from './RequestList.tsx'
import { texts } from './texts.ts'

export function RequestDetail({ id, onClose }: { id: string; onClose(): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const query = useQuery({
    queryKey: ['request_log', id],
    queryFn: () => backline.requestLog.retrieve(id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const title = query.data ? `${query.data.method} ${query.data.route ?? query.data.path}` : text.one
  return (
    <Detail title={title} onClose={onClose}>
      {query.error instanceof NotFoundError ? (
        <EmptyState icon="clock" title={text.gone} />
      ) : (
        <Loaded query={query}>{(request) => <Content request={request} />}</Loaded>
      )}
    </Detail>
  )
}

function Content({ request }: { request: LoggedRequest }) {
  const text = useTexts(texts)
  const names = useActorNames()
  const { key_id, session_id, operator_id, original_request_id, route } = request
  const named = (id: string | null, what: string): ReactNode =>
    id === null ? (
      '—'
    ) : (
      <>
        {names.get(id)} <Copied value={id} what={what} />
      </>
    )
  const sender = key_id ?? session_id ?? operator_id
  const subject = request.path.split('/').findLast(isId)
  return (
    <>
      <DescriptionList
        items={[
          [text.id, <Copied key="id" value={request.id} what={text.id} />],
          [
            text.status,
            <Badge key="s" tone={toneOf(request.status)}>
              {String(request.status)}
            </Badge>,
          ],
          [text.code, request.code === null ? '—' : <Copied key="c" value={request.code} what={text.code} />],
          [text.path, <Copied key="p" value={request.path} what={text.path} />],
          [text.key, named(key_id, text.key)],
          [text.session, named(session_id, text.session)],
          [text.operator, named(operator_id, text.operator)],
          [
            text.replayed,
            original_request_id === null ? (
              request.idempotent_replayed === false ? (
                text.isFirst
              ) : (
                '—'
              )
            ) : (
              <Link key="o" href={`/requests/${original_request_id}`}>
                {text.replayedText} {original_request_id}
              </Link>
            ),
          ],
          [text.duration, text.milliseconds(String(request.duration_ms))],
          [text.network, <code key="n">{request.network ?? '—'}</code>],
          [text.time, <Instant toSecond key="t" at={request.created_at} />],
        ]}
      />
      <Row as="ul" gap={3} wraps>
        {sender !== null && (
          <li>
            <Link href={`/requests?sender=${sender}`}>{text.ofSender}</Link>
          </li>
        )}
        {route !== null && (
          <li>
            <Link href={`/requests?route=${encodeURIComponent(route)}`}>{text.ofRoute}</Link>
          </li>
        )}
        {subject !== undefined && (
          <>
            <li>
              <Link href={`/events?resource=${subject}`}>{text.eventsOf}</Link>
            </li>
            <li>
              <Link href={`/audit?resource=${subject}`}>{text.entriesOf}</Link>
            </li>
          </>
        )}
      </Row>
      <Part title={text.whole}>
        <Json label={text.whole} value={request} />
      </Part>
    </>
  )
}
