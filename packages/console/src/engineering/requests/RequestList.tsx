import type { LoggedRequest } from '@backline/sdk'
import { Badge, type Tone } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useActorNames } from '../shared/actor-names.ts'
import { shortId } from '../shared/ids.ts'
import { LogCode, LogLink, LogName } from '../shared/LogLink.tsx'
import styles from './Requests.module.css'
import { texts } from './texts.ts'

export const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good')

type ListProps = {
  requests: LoggedRequest[]
  openId: string | undefined
  pathOf(request: LoggedRequest): string
}

export function RequestList({ requests, openId, pathOf }: ListProps) {
  const text = useTexts(texts)
  const names = useActorNames()
  const senderOf = ({ key_id, operator_id, session_id }: LoggedRequest): string => {
    const id = key_id ?? operator_id ?? session_id
    return id === null ? '—' : (names.get(id) ?? shortId(id))
  }
  return (
    <ul aria-label={text.log}>
      {requests.map((request) => (
        <li key={request.id}>
          <LogLink
            href={pathOf(request)}
            isOpen={request.id === openId}
            at={request.created_at}
            className={styles.request}
          >
            <Badge tone={toneOf(request.status)}>{String(request.status)}</Badge>
            <LogCode className={undefined}>{request.method}</LogCode>
            <LogName>{request.path}</LogName>
            <span className={styles.sender}>{senderOf(request)}</span>
            <LogCode className={styles.duration}>{text.milliseconds(String(request.duration_ms))}</LogCode>
          </LogLink>
        </li>
      ))}
    </ul>
  )
}
