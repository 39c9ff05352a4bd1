import type { AuditEntry } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Instant } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Copied, Json } from '../../design/Code.tsx'
import { Row } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useActorName } from '../shared/actor-names.ts'
import { Changes } from '../shared/Changes.tsx'
import { Detail, Part } from '../shared/Detail.tsx'
import { eventIdOf } from '../shared/ids.ts'
import { texts } from './texts.ts'

export function EntryDetail({ id, onClose }: { id: string; onClose(): void }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const query = useQuery({ queryKey: ['audit_log', id], queryFn: () => backline.auditLog.retrieve(id) })
  return (
    <Detail title={query.data?.action ?? text.entry} onClose={onClose}>
      <Loaded query={query}>{(entry) => <Content entry={entry} />}</Loaded>
    </Detail>
  )
}

function Content({ entry }: { entry: AuditEntry }) {
  const text = useTexts(texts)
  const nameOf = useActorName()
  const { actor, target } = entry
  return (
    <>
      <DescriptionList
        items={[
          [text.id, <Copied key="id" value={entry.id} what={text.id} />],
          [text.time, <Instant toSecond key="time" at={entry.created_at} />],
          [text.actor, nameOf(actor)],
          ...(actor.id === null
            ? []
            : [
                [text.actorId, <Copied key="actor" value={actor.id} what={text.actorId} />] as [
                  string,
                  React.ReactNode,
                ],
              ]),
          [text.target, <Copied key="target" value={target.id} what={text.target} />],
          [
            text.request,
            entry.request_id === null ? (
              '—'
            ) : (
              <Copied key="request" value={entry.request_id} what={text.request} />
            ),
          ],
          [text.address, <code key="ip">{entry.ip ?? '—'}</code>],
          [text.agent, entry.user_agent ?? '—'],
        ]}
      />
      <Row as="ul" gap={3} wraps>
        <li>
          <Link href={`/events/${eventIdOf(entry.id)}`}>{text.event}</Link>
        </li>
        {entry.request_id !== null && (
          <li>
            <Link href={`/requests/${entry.request_id}`}>{text.itsRequest}</Link>
          </li>
        )}
        <li>
          <Link href={`/audit?resource=${target.id}`}>{text.history}</Link>
        </li>
        {actor.id !== null && (
          <li>
            <Link href={`/audit?actor=${actor.id}`}>{text.byActor}</Link>
          </li>
        )}
      </Row>
      <Part title={text.changes}>
        {Object.keys(entry.changes).length === 0 ? (
          <p>{text.noChanges}</p>
        ) : (
          <Changes changes={entry.changes} caption={text.changes} />
        )}
      </Part>
      <Part title={text.whole}>
        <Json label={text.whole} value={entry} />
      </Part>
    </>
  )
}
