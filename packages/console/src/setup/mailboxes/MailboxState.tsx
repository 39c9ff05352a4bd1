import type { Mailbox } from '@backline/sdk'
import { Badge } from '../../design/Badge.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** Whether mail waits until a test mail was sent. */
export const isUnverified = ({ outbound, verified_at }: Mailbox): boolean =>
  outbound === 'smtp' && verified_at === null

export function MailboxState({ mailbox }: { mailbox: Mailbox }) {
  const text = useTexts(texts)
  if (mailbox.archived) return <Badge>{text.archived}</Badge>
  if (mailbox.status === 'paused') return <Badge tone="warn">{text.paused}</Badge>
  if (isUnverified(mailbox)) return <Badge tone="warn">{text.unverified}</Badge>
  return <Badge tone="good">{text.enabled}</Badge>
}
