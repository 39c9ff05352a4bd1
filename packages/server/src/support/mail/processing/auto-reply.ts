import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { canonicalAddress } from '../../catalogue/mailboxes/addresses.ts'
import type { Mailbox } from '../../catalogue/mailboxes/queries.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import {
  type CheckedMessage,
  checkMessage,
  deliverMessage,
  draftMessage,
} from '../../desk/messages/actions.ts'
import { limitedAddresses } from '../../desk/messages/outgoing/automatic.ts'
import type { Message } from '../../desk/messages/queries.ts'
import type { InboundEmail } from '../inbound-emails/queries.ts'
import type { Judged } from './deciding.ts'
import type { Digest } from './digest.ts'

/**
 * Answers the mail that began a conversation with the template of its mailbox: once, never a mail that no person wrote,
 * and by default only proven senders, so that nobody makes this server write to others.
 * @param warnings gets `auto_reply_failed` if the template cannot be rendered
 */
export async function replyAutomatically(
  change: Change,
  { auto_reply_template_id: templateId, auto_reply_to }: Mailbox,
  conversation: Conversation,
  message: Message,
  { automatic, authentication, from }: Judged,
  { replyTo }: Digest,
  warnings: string[],
): Promise<InboundEmail['auto_reply']> {
  if (templateId === null || automatic !== null) return null
  const isProven = authentication.basis === 'dmarc'
  if (auto_reply_to === 'authenticated' && !isProven) return 'unauthenticated'
  const to = canonicalAddress((isProven ? replyTo[0] : undefined)?.address ?? from.address)
  if ((await limitedAddresses(change, [to])).has(to)) return 'limited'
  const template = typeId('tmpl', templateId)
  const input = {
    author_side: 'system' as const,
    visibility: 'public' as const,
    template_id: template,
    in_reply_to_id: typeId('msg', message.id),
  }
  let checked: CheckedMessage
  try {
    checked = await checkMessage(change, conversation, input, templateId)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    warnings.push('auto_reply_failed')
    return null
  }
  await deliverMessage(change, conversation, draftMessage(change, conversation, checked), undefined, {
    to: [to],
  })
  return 'sent'
}
