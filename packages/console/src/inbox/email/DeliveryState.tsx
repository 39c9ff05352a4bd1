import type { Delivery, Message } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../design/Button.tsx'
import { Icon, type IconName } from '../../design/Icon.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import { mailTexts } from '../../mail/texts.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { putMessage } from '../model/messages.ts'
import styles from './Email.module.css'
import { texts } from './texts.ts'

type Recipient = Delivery['recipients'][number]
type Status = Delivery['status']

const icons: Record<Status, IconName> = {
  queued: 'clock',
  sent: 'check',
  delivered: 'check',
  failed: 'warning',
  bounced: 'warning',
}

/** Reasons of this server. Those of a report are the words of another server. */
const reasons = [
  'mailbox_unverified',
  'mailbox_paused',
  'file_scanning',
  'deferred',
  'suppressed',
  'refused',
  'expired',
  'outcome_unknown',
  'cancelled',
  'limit',
  'smtputf8',
] as const

function useReasons(): (reason: string) => string {
  const mail = useTexts(mailTexts)
  return (reason) => {
    const known = reasons.find((each) => each === reason)
    return known ? mail[known] : reason
  }
}

const isBad = ({ status }: { status: Status }): boolean => status === 'failed' || status === 'bounced'

/** The delivery of a mail. Its recipients stand below each other where something is amiss. */
export function DeliveryState({ message, delivery }: { message: Message; delivery: Delivery }) {
  const text = useTexts(texts)
  const mail = useTexts(mailTexts)
  const cache = useQueryClient()
  const { backline, can } = useEnvironment()
  const wordFor = useStatusWords()
  const reasonText = useReasons()
  const { moment } = useFormats()
  const { status, recipients, next_attempt_at: next } = delivery
  const retry = useWrite({
    run: () => backline.messages.delivery.retry(message.id),
    refresh: [],
    failed: text.notSentAgain,
    onDone: (changed) => putMessage(cache, changed),
  })
  const waitsFor = recipients.find((each) => each.status === 'queued' && each.reason !== null)?.reason
  const about = [
    recipients.length === 0 ? text.noRecipient : mail.recipients(recipients.length),
    ...(status === 'queued' && waitsFor ? [reasonText(waitsFor)] : []),
    ...(status === 'queued' && next ? [text.nextAttempt(moment(next))] : []),
  ]
  return (
    <div className={styles.delivery} data-status={status}>
      <details className={styles.fold} open={isBad({ status }) && recipients.length > 0}>
        <summary>
          <Row as="span" gap={1} className={styles.line}>
            <Icon name={icons[status] ?? 'mail'} size={14} />
            <span>
              {wordFor(status)} <Quiet>· {about.join(' · ')}</Quiet>
            </span>
          </Row>
        </summary>
        <ul className={styles.recipients} aria-label={text.delivery}>
          {recipients.map((recipient) => (
            <li key={`${recipient.kind} ${recipient.address}`} data-status={recipient.status}>
              <RecipientLine recipient={recipient} />
            </li>
          ))}
        </ul>
      </details>
      {recipients.some((each) => each.status === 'failed') && can('messages:write') && (
        <Button icon="refresh" disabled={retry.isPending} onClick={() => retry.mutate()}>
          {text.sendAgain}
        </Button>
      )}
    </div>
  )
}

function useStatusWords(): (status: Status) => string {
  const mail = useTexts(mailTexts)
  const words: Record<Status, string> = {
    queued: mail.queued,
    sent: mail.sent,
    delivered: mail.delivered,
    failed: mail.undelivered,
    bounced: mail.bounced,
  }
  return (status) => words[status] ?? status
}

function RecipientLine({
  recipient: { address, kind, status, reason, smtp_code, at },
}: {
  recipient: Recipient
}) {
  const mail = useTexts(mailTexts)
  const wordFor = useStatusWords()
  const reasonText = useReasons()
  const why = [...(reason === null ? [] : [reasonText(reason)]), ...(smtp_code === null ? [] : [smtp_code])]
  return (
    <>
      {kind !== 'to' && <Quiet>{mail[kind] ?? kind}: </Quiet>}
      {address} – <strong>{wordFor(status)}</strong>
      {why.length > 0 && `: ${why.join(' · ')}`}
      <Quiet>
        {' · '}
        <When at={at} />
      </Quiet>
    </>
  )
}
