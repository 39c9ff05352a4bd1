import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { When } from '../../../app/Times.tsx'
import { useEnvironment } from '../../../data/environment.tsx'
import { Quiet, Row, Stack } from '../../../design/Layout.tsx'
import { ErrorState, Loading } from '../../../design/States.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { modelTexts } from '../../model/texts.ts'
import { StatusBadge } from '../StatusBadge.tsx'

import { useConversationHref } from '../use-conversation-href.ts'
import styles from './History.module.css'
import { texts } from './texts.ts'

const shown = 10

type OtherProps = { conversationId: string; endUserId: string }

/** The latest other conversations of the person. */
export function OtherConversations({ conversationId, endUserId }: OtherProps) {
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const hrefOf = useConversationHref()
  const { backline } = useEnvironment()
  const { data, isError, error, refetch } = useQuery({
    queryKey: ['conversations', 'of', endUserId],
    queryFn: ({ signal }) =>
      backline.conversations.list({ end_user_id: endUserId, limit: shown + 1 }, { signal }),
  })
  if (isError && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Loading lines={3} />
  const others = data.data.filter(({ id }) => id !== conversationId).slice(0, shown)
  if (others.length === 0) return <Quiet as="p">{text.noOther}</Quiet>
  return (
    <Stack as="ul" gap={3}>
      {others.map(({ id, subject, status, last_message_at, created_at }) => {
        const at = last_message_at ?? created_at
        return (
          <Stack as="li" gap="half" key={id}>
            <Link href={hrefOf(id)} className={styles.subject}>
              {subject ?? shared.noSubject}
            </Link>
            <Row as="span" wraps>
              <StatusBadge status={status} />
              <Quiet>
                <When at={at} />
              </Quiet>
            </Row>
          </Stack>
        )
      })}
    </Stack>
  )
}
