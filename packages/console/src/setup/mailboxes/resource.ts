import type { Mailbox } from '@backline/sdk'
import { useEnvironment } from '../../data/environment.tsx'
import type { FormDescriptor } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { bodyOf, draftOf, type MailboxDraft } from './draft.ts'
import { MailboxForm } from './MailboxForm.tsx'
import { texts } from './texts.ts'

export function useMailboxResource(
  onCreated?: (mailbox: Mailbox) => void,
): FormDescriptor<Mailbox, MailboxDraft> {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  return {
    path: 'mailboxes',
    api: backline.mailboxes,
    texts: text,
    nameOf: ({ address }) => address,
    draftOf,
    bodyOf,
    labels: {
      address: text.emailAddress,
      aliases: text.aliases,
      department_id: text.department,
      from_name: text.fromName,
      signature: text.signature,
      plus_addressing: text.plus,
      trusted_authserv_ids: text.trusted,
      reply_to_senders: text.replyToSenders,
      outbound: text.outbound,
      smtp: text.relay,
      quote: text.quote,
      attach_max_bytes: text.attachMax,
      rate_per_minute: text.rate,
      auto_reply: text.autoReply,
    },
    form: MailboxForm,
    width: 'wide',
    onCreated: (mailbox) => onCreated?.(mailbox),
  }
}
