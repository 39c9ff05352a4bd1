import type { InboundEmail, Mailbox } from '@backline/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useConversationPath } from '../../app/area-paths.ts'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useLiveEvents } from '../../data/live.tsx'
import { Button } from '../../design/Button.tsx'
import { Card, Quiet, Row, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { useAuthenticationFacts } from '../../mail/Authentication.tsx'
import { addressText } from '../../mail/addresses.ts'
import { InboundStatus } from '../../mail/InboundStatus.tsx'
import { mailTexts, wordOf } from '../../mail/texts.ts'
import { useTexts } from '../../texts/language.tsx'
import { stepTexts } from './step-texts.ts'
import { TrustServer } from './TrustServer.tsx'

const everyMs = 3_000

/** Waits for the next mail, and shows what was seen of it; otherwise that of the last one. */
export function TestIn({ mailbox }: { mailbox: Mailbox }) {
  const step = useTexts(stepTexts)
  const { backline } = useEnvironment()
  /** The last mail when the waiting began; undefined while nobody waits. */
  const [before, setBefore] = useState<string | null>()
  const { id, address } = mailbox
  const query = useQuery({
    queryKey: ['inbound_emails', 'of', id],
    queryFn: async ({ signal }) => {
      const { data } = await backline.inboundEmails.list({ mailbox_id: id, limit: 1 }, { signal })
      return data[0] ?? null
    },
    // Events tell of mails that are processed; the page asks too while somebody waits.
    refetchInterval: ({ state }) => (isAwaited(state.data, before) ? everyMs : false),
  })
  useLiveEvents((event) => {
    if (event.type === 'inbound_email.processed' && event.data.object.mailbox_id === id) void query.refetch()
  })
  const isWaiting = isAwaited(query.data, before)
  return (
    <Stack gap={3}>
      <p>{step.testInText(address)}</p>
      <Row wraps>
        <Button
          icon={isWaiting ? 'close' : 'inbox'}
          disabled={query.data === undefined}
          onClick={() => setBefore(isWaiting ? undefined : (query.data?.id ?? null))}
        >
          {isWaiting ? step.stop : step.wait}
        </Button>
        <span role="status">{isWaiting ? step.waiting : before === undefined ? '' : step.arrived}</span>
      </Row>
      {!isWaiting && (
        <Loaded query={query}>
          {(email) =>
            email === null ? (
              <Quiet as="p">{step.noMailYet}</Quiet>
            ) : (
              <Seen mailbox={mailbox} email={email} isLast={before === undefined} />
            )
          }
        </Loaded>
      )}
    </Stack>
  )
}

/** Whether the mail that somebody waits for is not there yet, or not processed. */
const isAwaited = (email: InboundEmail | null | undefined, before: string | null | undefined): boolean =>
  before !== undefined && ((email?.id ?? null) === before || email?.status === 'received')

type SeenProps = { mailbox: Mailbox; email: InboundEmail; isLast: boolean }

function Seen({ mailbox, email, isLast }: SeenProps) {
  const text = useTexts(mailTexts)
  const step = useTexts(stepTexts)
  const { can } = useEnvironment()
  const factsOf = useAuthenticationFacts()
  const conversationPath = useConversationPath()
  const { from, subject, created_at: at, authentication, conversation_id: conversationId, reason } = email
  const messageId = email.status === 'bounce' ? null : email.message_id
  const isRead = messageId !== null && authentication?.authserv_id == null && can('messages:read')
  const headers = useHeaders(isRead ? messageId : null)
  return (
    <Card>
      <Row wraps justify="between">
        <h3>{isLast ? step.lastMail : step.testMail}</h3>
        <Link href={`/inbound_emails/${email.id}`}>{step.allMail}</Link>
      </Row>
      <DescriptionList
        items={[
          [text.from, from ? addressText(from) : text.unknownSender],
          [text.subject, subject ?? text.noSubject],
          [text.time, <When key="at" at={at} />],
          [
            step.became,
            <Row as="span" key="status" wraps>
              <InboundStatus email={email} />
              {conversationId !== null && (
                <Link href={conversationPath(conversationId)}>{step.openConversation}</Link>
              )}
              {reason !== null && <small>{wordOf(text, reason)}</small>}
            </Row>,
          ],
          ...factsOf(authentication),
        ]}
      />
      {headers && <TrustServer mailbox={mailbox} headers={headers} />}
    </Card>
  )
}

/** The headers of the mail of a message: they name a server that is not trusted. */
function useHeaders(messageId: string | null) {
  const { backline } = useEnvironment()
  const { data } = useQuery({
    queryKey: ['messages', messageId, 'email'],
    queryFn:
      messageId === null
        ? skipToken
        : ({ signal }) => backline.messages.email.retrieve(messageId, { signal }),
  })
  return data?.headers
}
