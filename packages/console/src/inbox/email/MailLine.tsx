import type { Email, EmailAddress, Message } from '@backline/sdk'
import { type ReactNode, useState } from 'react'
import { useMailboxNames } from '../../data/configuration.ts'
import { Badge } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { Copied } from '../../design/Code.tsx'
import { Row, Truncated } from '../../design/Layout.tsx'
import { DescriptionList } from '../../design/Page.tsx'
import { useAuthenticationFacts, useVerdict } from '../../mail/Authentication.tsx'
import { addressesText } from '../../mail/addresses.ts'
import { DownloadRaw } from '../../mail/DownloadRaw.tsx'
import { mailTexts, wordOf } from '../../mail/texts.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './Email.module.css'
import { OriginalDialog } from './OriginalDialog.tsx'
import { texts } from './texts.ts'

type MailLineProps = { message: Message; email: Email; subject: string | null }

/** From whom a mail is and to whom it goes in one line; all else on demand. @param subject that of the conversation */
export function MailLine({ message, email, subject }: MailLineProps) {
  const text = useTexts(texts)
  const mail = useTexts(mailTexts)
  const verdictOf = useVerdict()
  const [isOpen, setOpen] = useState(false)
  const isInbound = email.direction === 'inbound'
  const verdict = isInbound ? verdictOf(email.authentication) : null
  const ownSubject =
    email.subject !== null && bare(email.subject) !== bare(subject ?? '') ? email.subject : null
  return (
    <details className={styles.fold} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Row as="span" className={styles.line}>
          {verdict && !verdict.isVerified && (
            <span title={verdict.reason}>
              <Badge tone="warn">{mail.notVerified}</Badge>
            </span>
          )}
          <Truncated>
            {ownSubject !== null && <strong>{ownSubject} · </strong>}
            {[
              ...(isInbound && email.from ? [email.from.address] : []),
              text.toPart(shortly(email.to) || text.nobody),
              ...(email.cc.length > 0 ? [text.ccPart(shortly(email.cc))] : []),
              ...(email.bcc.length > 0 ? [text.bccPart(shortly(email.bcc))] : []),
              ...(isInbound || message.delivery ? [] : [text.recorded]),
            ].join(' · ')}
          </Truncated>
        </Row>
      </summary>
      {isOpen && <Details message={message} email={email} />}
    </details>
  )
}

/** A subject without the marks of answers and forwards. */
const bare = (subject: string): string =>
  subject
    .replace(/^(?:(?:re|aw|fwd?|wg|antw|sv|vs|tr|r) ?: ?)+/i, '')
    .trim()
    .toLowerCase()

const shown = 2

const shortly = (addresses: EmailAddress[]): string => {
  const first = addresses.slice(0, shown).map(({ address }) => address)
  const more = addresses.length - first.length
  return [...first, ...(more > 0 ? [`+${more}`] : [])].join(', ')
}

function Details({ message, email }: Omit<MailLineProps, 'subject'>) {
  const text = useTexts(texts)
  const mail = useTexts(mailTexts)
  const mailboxName = useMailboxNames()
  const authenticationFacts = useAuthenticationFacts()
  const [isOriginal, setOriginal] = useState(false)
  const { inbound_email_id: inboundId, header_message_id: messageId, warnings } = email
  const list = (name: string, addresses: EmailAddress[]): [string, ReactNode][] =>
    addresses.length === 0 ? [] : [[name, addressesText(addresses)]]
  return (
    <div className={styles.details}>
      <DescriptionList
        items={[
          ...list(mail.from, email.from ? [email.from] : []),
          ...list(mail.to, email.to),
          ...list(mail.cc, email.cc),
          ...list(mail.bcc, email.bcc),
          ...list(mail.replyTo, email.reply_to),
          [mail.subject, email.subject || mail.noSubject],
          ...(email.mailbox_id === null
            ? []
            : ([[mail.mailbox, mailboxName(email.mailbox_id) ?? '…']] as [string, ReactNode][])),
          ...(email.direction === 'inbound' ? authenticationFacts(email.authentication) : []),
          ...(warnings.length === 0
            ? []
            : ([[mail.warnings, warnings.map((each) => wordOf(mail, each)).join(' ')]] as [
                string,
                ReactNode,
              ][])),
          ...(messageId === null
            ? []
            : ([[mail.messageId, <Copied key="id" value={messageId} what={mail.messageId} />]] as [
                string,
                ReactNode,
              ][])),
        ]}
      />
      {!message.redacted_at && (
        <Row wraps>
          <Button icon="mail" onClick={() => setOriginal(true)}>
            {text.original}
          </Button>
          {inboundId !== null && <DownloadRaw id={inboundId} />}
        </Row>
      )}
      {isOriginal && <OriginalDialog messageId={message.id} onClose={() => setOriginal(false)} />}
    </div>
  )
}
