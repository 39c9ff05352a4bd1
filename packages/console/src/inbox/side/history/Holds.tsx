import type { Conversation, Hold, HoldReason } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../../data/environment.tsx'
import { useAll } from '../../../data/lists.ts'
import { Badge } from '../../../design/Badge.tsx'
import { Quiet, Row, Stack } from '../../../design/Layout.tsx'
import { ErrorState, Loading } from '../../../design/States.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { texts as sideTexts } from '../texts.ts'
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
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={2} />
  if (data.data.length === 0) return <Quiet as="p">{text.noHolds}</Quiet>
  return (
    <Stack as="ul" gap={3}>
      {data.data.toReversed().map((hold) => (
        <Stack as="li" gap="half" key={hold.since}>
          <HoldOf hold={hold} reason={reasons?.find((reason) => reason.id === hold.hold_reason_id)} />
        </Stack>
      ))}
    </Stack>
  )
}

function HoldOf({ hold, reason }: { hold: Hold; reason: HoldReason | undefined }) {
  const text = useTexts(texts)
  const shared = useTexts(sideTexts)
  const { duration, moment } = useFormats()
  const { since, until, ended_at, ended_by, note } = hold
  return (
    <>
      <Row as="span" wraps>
        <strong>{reason?.name ?? '…'}</strong>
        {ended_at === null && <Badge tone="warn">{text.now}</Badge>}
      </Row>
      <small>
        {moment(since)}
        {ended_at
          ? ` · ${duration((Date.parse(ended_at) - Date.parse(since)) / 1_000)}`
          : ` · ${until ? `${shared.until} ${moment(until)}` : text.noEnd}`}
      </small>
      {ended_by && (
        <small>
          {text.endedBy} {text[ended_by] ?? ended_by}
        </small>
      )}
      {note && <p>{note}</p>}
    </>
  )
}
