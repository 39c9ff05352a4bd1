import type { Conversation, Hold, HoldReason } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../../data/environment.tsx'
import { useAll } from '../../../data/lists.ts'
import { Badge } from '../../../design/Badge.tsx'
import { Failed, Loading } from '../../../design/States.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import side from '../Side.module.css'
import { texts as sideTexts } from '../texts.ts'
import { useTimes } from '../use-times.ts'
import styles from './History.module.css'
import { texts } from './texts.ts'

/** The holds of the conversation, latest first. */
export function Holds({ conversation }: { conversation: Conversation }) {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const { id } = conversation
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['conversations', id, 'holds'],
    queryFn: ({ signal }) => backline.conversations.holds.list(id, { limit: 100 }, { signal }),
  })
  const { data: reasons } = useAll(['hold_reasons', 'with_archived'], () =>
    backline.holdReasons.list({ limit: 100, archived: 'true' }),
  )
  if (isError && !data) return <Failed error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={2} />
  if (data.data.length === 0) return <p className={side.quiet}>{text.noHolds}</p>
  return (
    <ul className={styles.list}>
      {data.data.toReversed().map((hold) => (
        <li key={hold.since} className={styles.item}>
          <HoldOf hold={hold} reason={reasons?.find((reason) => reason.id === hold.hold_reason_id)} />
        </li>
      ))}
    </ul>
  )
}

function HoldOf({ hold, reason }: { hold: Hold; reason: HoldReason | undefined }) {
  const text = useTexts(texts)
  const shared = useTexts(sideTexts)
  const { duration } = useFormats()
  const { full } = useTimes()
  const { since, until, ended_at, ended_by, note } = hold
  return (
    <>
      <span className={side.line}>
        <span className={styles.title}>{reason?.name ?? '…'}</span>
        {ended_at === null && <Badge tone="warn">{text.now}</Badge>}
      </span>
      <span className={styles.time}>
        {full(Date.parse(since))}
        {ended_at
          ? ` · ${duration((Date.parse(ended_at) - Date.parse(since)) / 1_000)}`
          : ` · ${until ? `${shared.until} ${full(Date.parse(until))}` : text.noEnd}`}
      </span>
      {ended_by && (
        <span className={styles.time}>
          {text.endedBy} {text[ended_by] ?? ended_by}
        </span>
      )}
      {note && <p>{note}</p>}
    </>
  )
}
