import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  Int,
  List,
  type Members,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import {
  Addresses,
  Authentication,
  Automatic,
  HeaderMessageId,
  MailSubject,
  Sender,
  Warnings,
} from '../../desk/messages/email/schema.ts'
import { statuses } from './filters.ts'
import type { InboundEmail } from './queries.ts'

export const maxEmailBytes = 25 * 2 ** 20
/** The largest number of recipients of one delivery. */
export const maxRecipients = 50

const sources = ['api', 'lmtp', 'smtp'] as const
export const reasons = [
  'own_message',
  'automatic_reply',
  'blocked',
  'loop_limit',
  'too_many_hops',
  'no_mailbox',
  'no_sender',
  'too_complex',
  'unparseable',
  'internal',
] as const
export type Reason = (typeof reasons)[number]
const threadings = ['token', 'in_reply_to', 'references'] as const
const autoReplies = ['sent', 'limited', 'unauthenticated'] as const
const dropReasons = ['type', 'size', 'count'] as const

const Path = (description: string) => Nullable(Text(0, 998), { description })

const InboundEmailSchema = Shape({
  id: Id('eml'),
  object: Enum(['inbound_email']),
  mailbox_id: Nullable(Id('mbx'), {
    description: 'The mailbox to which it was addressed; null if there is none.',
  }),
  source: Enum(sources, { description: 'How it arrived.' }),
  status: Enum(statuses, {
    description:
      '`received` until it is processed, which takes seconds. Then it has `created` a conversation, or a message in one (`threaded`), or was a report about a mail that was sent (`bounce`), or was `ignored`, or has `failed`.',
  }),
  reason: Nullable(Enum(reasons), { description: 'Why it was ignored or failed; null otherwise.' }),
  conversation_id: Nullable(Id('conv'), { description: 'The conversation that it began or continued.' }),
  message_id: Nullable(Id('msg'), {
    description: 'The message that it became; for a report the message that it is about.',
  }),
  end_user_id: Nullable(Id('eu'), { description: 'The end user who sent it; null for others.' }),
  header_message_id: HeaderMessageId(),
  threaded_by: Nullable(Enum(threadings), {
    description: 'What named its conversation: the token in its address, `In-Reply-To` or `References`.',
  }),
  from: Sender(),
  to: Addresses('The recipients in `To`.'),
  cc: Addresses('The recipients in `Cc`.'),
  reply_to: Addresses('The addresses in `Reply-To`.'),
  subject: MailSubject(),
  date: Nullable(Timestamp(), { description: 'The time in `Date`; null without one that is a time.' }),
  mail_from: Path('The return path; empty for the null one, null if it is not known.'),
  authentication: Authentication(),
  automatic: Automatic(),
  auto_reply: Nullable(Enum(autoReplies), {
    description:
      'Whether the automatic reply of the mailbox was sent, or why it was not: the address got enough automatic mail (`limited`), or nobody vouches for the sender (`unauthenticated`); null if none was due.',
  }),
  warnings: Warnings(),
  dropped_attachments: List(
    Shape({
      filename: Text(1, 255, { description: 'The name of the file.' }),
      content_type: Text(1, 255, { description: 'The media type of the file.' }),
      size_bytes: Int(0, maxEmailBytes, { description: 'The length in bytes.' }),
      reason: Enum(dropReasons, {
        description:
          'The workspace denies files of this `type`, or it is too large (`size`), or the mail has more than 25 (`count`).',
      }),
    }),
    1_000,
    { description: 'The files that the message does not have. The mail as it came has them.' },
  ),
  size_bytes: Int(1, maxEmailBytes, { description: 'The length of the mail in bytes.' }),
  duplicate_count: Int(0, 2147483647, { description: 'How often the same mail arrived again.' }),
  ...revision,
})

export const inboundEmailExample = {
  id: 'eml_01kah1x2pje4x8ywz5v3k0t6ab',
  object: 'inbound_email',
  mailbox_id: 'mbx_01kah1vgm0e1tbm5ye8n2m9q7c',
  source: 'api',
  status: 'created',
  reason: null,
  conversation_id: 'conv_01kah1vgm0e1tbm5ye8n2m9q7c',
  message_id: 'msg_01kah1x2pje4x8ywz5v3k0t6ab',
  end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c',
  header_message_id: '<CAF1x2y3@mail.example.net>',
  threaded_by: null,
  from: { address: 'ada@example.net', name: 'Ada Lovelace' },
  to: [{ address: 'support@example.com', name: null }],
  cc: [],
  reply_to: [],
  subject: 'Card declined',
  date: '2026-11-20T09:29:58.000Z',
  mail_from: 'ada@example.net',
  authentication: {
    authserv_id: 'mx.example.com',
    dmarc: 'pass',
    dkim: 'pass',
    spf: 'pass',
    verified: true,
    basis: 'dmarc',
  },
  automatic: null,
  auto_reply: null,
  warnings: [],
  dropped_attachments: [],
  size_bytes: 2_481,
  duplicate_count: 0,
  created_at: '2026-11-20T09:30:00.000Z',
  updated_at: '2026-11-20T09:30:01.000Z',
  version: 2,
}

export const inboundEmailWire = defineWire<InboundEmail>({
  name: 'InboundEmail',
  schema: InboundEmailSchema,
  example: inboundEmailExample,
  present: (row) => ({
    id: typeId('eml', row.id),
    object: 'inbound_email',
    mailbox_id: row.mailbox_id && typeId('mbx', row.mailbox_id),
    source: row.source,
    status: row.status,
    reason: row.reason,
    conversation_id: row.conversation_id && typeId('conv', row.conversation_id),
    message_id: row.message_id && typeId('msg', row.message_id),
    end_user_id: row.end_user_id && typeId('eu', row.end_user_id),
    header_message_id: row.header_message_id,
    threaded_by: row.threaded_by,
    from: row.sender,
    to: row.to_addresses,
    cc: row.cc_addresses,
    reply_to: row.reply_to,
    subject: row.subject,
    date: row.date,
    mail_from: row.mail_from,
    authentication: row.authentication,
    automatic: row.automatic,
    auto_reply: row.auto_reply,
    warnings: row.warnings,
    dropped_attachments: row.dropped_attachments,
    size_bytes: row.size_bytes,
    duplicate_count: row.duplicate_count,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const EnvelopeQuery = Shape({
  mailbox_id: Optional(
    Id('mbx', {
      description:
        'The mailbox. Without one, the first of `rcpt_to`, then of `Delivered-To`, `X-Original-To`, `To` and `Cc`, that is the address of one.',
    }),
  ),
  mail_from: Optional(
    Text(0, 998, {
      description:
        'The return path of the envelope, with or without angle brackets; empty for the null one, which reports have.',
    }),
  ),
  rcpt_to: Optional(
    List(Text(1, 998), maxRecipients, {
      description:
        'A recipient of the envelope, with or without angle brackets. Repeat the parameter for several.',
    }),
  ),
})
export type EnvelopeQuery = Members<typeof EnvelopeQuery>

export const Reprocessing = Shape({
  mailbox_id: Optional(
    Id('mbx', {
      description: 'The mailbox; by default the one that it has, or the one that it is addressed to.',
    }),
  ),
})
