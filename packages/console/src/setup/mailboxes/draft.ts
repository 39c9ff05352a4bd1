import type { CreateMailboxBody, Mailbox } from '@backline/sdk'
import { textOrNull } from '../../forms/changes.ts'

type Relay = NonNullable<Mailbox['smtp']>

export type RelayDraft = {
  host: string
  port: number | null
  security: Relay['security']
  username: string
  /** Empty leaves the stored one as it is, which the server does not show. */
  password: string
}

export type MailboxDraft = {
  address: string
  aliases: string[]
  department_id: string | null
  from_name: string
  signature: string
  plus_addressing: boolean
  trusted_authserv_ids: string[]
  reply_to_senders: string[]
  outbound: Mailbox['outbound']
  smtp: RelayDraft
  quote: Mailbox['quote']
  attach_max_bytes: number | null
  rate_per_minute: number | null
  auto_reply: { template_id: string | null; to: 'authenticated' | 'anyone' }
}

const newRelay: RelayDraft = { host: '', port: 465, security: 'tls', username: '', password: '' }

export const draftOf = (mailbox: Mailbox | null): MailboxDraft => ({
  address: mailbox?.address ?? '',
  aliases: mailbox?.aliases ?? [],
  department_id: mailbox?.department_id ?? null,
  from_name: mailbox?.from_name ?? '',
  signature: mailbox?.signature ?? '',
  plus_addressing: mailbox?.plus_addressing ?? true,
  trusted_authserv_ids: mailbox?.trusted_authserv_ids ?? [],
  reply_to_senders: mailbox?.reply_to_senders ?? [],
  outbound: mailbox?.outbound ?? 'client',
  smtp: mailbox?.smtp
    ? { ...mailbox.smtp, username: mailbox.smtp.username ?? '', password: '' }
    : { ...newRelay },
  quote: mailbox?.quote ?? 'none',
  attach_max_bytes: mailbox?.attach_max_bytes ?? 10 * 2 ** 20,
  rate_per_minute: mailbox?.rate_per_minute ?? 60,
  auto_reply: mailbox?.auto_reply ?? { template_id: null, to: 'authenticated' },
})

/** The body of a request. The relay is part of it only while mail is sent by it, so that a switch loses nothing. */
export function bodyOf(draft: MailboxDraft): CreateMailboxBody {
  const { smtp, auto_reply: autoReply, outbound, ...rest } = draft
  return {
    ...(rest as CreateMailboxBody),
    address: draft.address.trim(),
    from_name: textOrNull(draft.from_name),
    signature: textOrNull(draft.signature),
    outbound,
    auto_reply: autoReply.template_id === null ? null : { ...autoReply, template_id: autoReply.template_id },
    ...(outbound === 'smtp' && { smtp: relayOf(smtp) }),
  }
}

/** A password belongs to a user name, and goes with it. */
function relayOf({ host, port, security, username, password }: RelayDraft): CreateMailboxBody['smtp'] {
  const name = textOrNull(username.trim())
  return {
    host: host.trim(),
    port: port as number, // the server refuses an empty one at its field
    security,
    username: name,
    ...(name === null ? { password: null } : password !== '' && { password }),
  }
}
