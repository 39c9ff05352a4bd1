import type { InboundEmail } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useConversationPath } from '../../app/area-paths.ts'
import { Instant } from '../../app/Times.tsx'
import { useMailboxNames } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useLiveEvents } from '../../data/live.tsx'
import { Copied } from '../../design/Code.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Notice, Row, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { useAuthenticationFacts } from '../../mail/Authentication.tsx'
import { addressesText } from '../../mail/addresses.ts'
import { DownloadRaw } from '../../mail/DownloadRaw.tsx'
import { InboundStatus } from '../../mail/InboundStatus.tsx'
import { mailTexts, wordOf } from '../../mail/texts.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { sizeText } from '../../texts/sizes.ts'
import { Reprocess } from './Reprocess.tsx'
import { texts } from './texts.ts'

/** A mail that arrived, at the side of the list. */
export function InboundEmailPanel({ id, onClose }: { id: string; onClose(): void }) {
  const text = useTexts(texts)
  const mail = useTexts(mailTexts)
  const { backline, can } = useEnvironment()
  const query = useQuery({
    queryKey: ['inbound_emails', id],
    queryFn: () => backline.inboundEmails.retrieve(id),
    refetchInterval: ({ state }) => (state.data?.status === 'received' ? 2_000 : false),
  })
  useLiveEvents((event) => {
    if (event.type === 'inbound_email.processed' && event.data.object.id === id) void query.refetch()
  })
  const { data } = query
  const isOpen = data?.status === 'failed' || data?.status === 'ignored'
  return (
    <Dialog
      isOpen
      form="panel"
      width="wide"
      title={data ? (data.subject ?? mail.noSubject) : text.mail}
      onClose={onClose}
      actions={<DownloadRaw id={id} />}
    >
      <Loaded query={query}>
        {(email) => (
          <Stack gap={4}>
            {email.reason !== null && (
              <Notice tone={email.status === 'failed' ? 'bad' : 'plain'}>{wordOf(mail, email.reason)}</Notice>
            )}
            {isOpen && can('inbound_emails:write') && <Reprocess key={email.version} email={email} />}
            <Facts email={email} />
          </Stack>
        )}
      </Loaded>
    </Dialog>
  )
}

function Facts({ email }: { email: InboundEmail }) {
  const text = useTexts(texts)
  const mail = useTexts(mailTexts)
  const { language } = useLanguage()
  const authenticationFacts = useAuthenticationFacts()
  const mailboxName = useMailboxNames()
  const conversationPath = useConversationPath()
  const { id, from, to, cc, reply_to: replyTo, conversation_id: conversationId } = email
  const replies = { sent: text.sentReply, limited: text.limited, unauthenticated: text.unauthenticated }
  const dropped = { type: text.droppedType, size: text.droppedSize, count: text.droppedCount }
  const facts: ([string, ReactNode] | false)[] = [
    [
      text.status,
      <Row as="span" key="status" wraps>
        <InboundStatus email={email} />
        {conversationId !== null && (
          <Link href={conversationPath(conversationId)}>{text.openConversation}</Link>
        )}
      </Row>,
    ],
    [mail.from, from ? addressesText([from]) : mail.unknownSender],
    to.length > 0 && [mail.to, addressesText(to)],
    cc.length > 0 && [mail.cc, addressesText(cc)],
    replyTo.length > 0 && [mail.replyTo, addressesText(replyTo)],
    email.mail_from !== null && [text.returnPath, email.mail_from || text.nullPath],
    [mail.mailbox, mailboxName(email.mailbox_id) ?? mail.noMailbox],
    [text.arrived, <Instant key="at" at={email.created_at} />],
    ...(email.authentication === null ? [] : authenticationFacts(email.authentication)),
    email.auto_reply !== null && [text.autoReply, replies[email.auto_reply] ?? email.auto_reply],
    email.warnings.length > 0 && [
      mail.warnings,
      <ul key="warnings">
        {email.warnings.map((each) => (
          <li key={each}>{wordOf(mail, each)}</li>
        ))}
      </ul>,
    ],
    email.dropped_attachments.length > 0 && [
      text.dropped,
      <ul key="dropped">
        {email.dropped_attachments.map(({ filename, reason }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: Several files of a mail can have one name.
          <li key={i}>
            {filename} <small>{dropped[reason] ?? reason}</small>
          </li>
        ))}
      </ul>,
    ],
    email.duplicate_count > 0 && [text.duplicates, text.times(email.duplicate_count)],
    [text.size, sizeText(email.size_bytes, language)],
    email.header_message_id !== null && [
      mail.messageId,
      <Copied key="message-id" value={email.header_message_id} what={mail.messageId} />,
    ],
    [text.id, <Copied key="id" value={id} what={text.id} />],
  ]
  return <DescriptionList items={facts.filter((fact): fact is [string, ReactNode] => Boolean(fact))} />
}
