import { typeId } from '../../../../platform/kernel/ids.ts'
import {
  Enum,
  Flag,
  Id,
  Int,
  List,
  Nullable,
  Shape,
  Text,
  Timestamp,
  type TSchema,
  Type,
} from '../../../../platform/resource/schema.ts'
import { deliveryStatuses, recipientKinds } from './delivery.ts'
import { automaticKinds, bases, directions } from './facts.ts'
import { maxRecipients } from './new-email.ts'
import type { MessageEmail } from './queries.ts'

export const maxAddresses = 1_000
export const maxQuoted = 65_536
const Address = () =>
  Shape(
    {
      address: Text(1, 998, { description: 'The address, in lower case.' }),
      name: Nullable(Text(1, 998), { description: 'The name beside it; null if there is none.' }),
    },
    { title: 'EmailAddress', description: 'An address of a mail.' },
  )
export const Addresses = (description: string) => List(Address(), maxAddresses, { description })
export const Sender = () =>
  Nullable(Address(), { description: 'The address in `From`; null if there is none.' })

const Result = (description: string) => Nullable(Text(1, 255), { description })

export const AuthenticationSchema = Shape(
  {
    authserv_id: Result('The server that reported the results; null if none that is trusted did.'),
    dmarc: Result('The result of DMARC as reported, such as `pass`; null if there is none.'),
    dkim: Result('The result of DKIM as reported; null if there is none.'),
    spf: Result('The result of SPF as reported; null if there is none.'),
    verified: Flag({ description: 'Whether the mail is from whom it says it is from.' }),
    basis: Nullable(Enum(bases), {
      description:
        'Why it is verified: by `dmarc` (or DKIM, where no DMARC is reported), or because it answers a mail that was sent to this very address (`reply`); null if it is not.',
    }),
  },
  { title: 'EmailAuthentication' },
)
export const Authentication = () =>
  Nullable(AuthenticationSchema, {
    description: 'Whether the mail is from its sender, as far as is known; null for a mail that was sent.',
  })
export const Automatic = () =>
  Nullable(Enum(automaticKinds), {
    description:
      'Whether no person wrote it: an automatic `reply`, a mail that a program `generated`, or `bulk` mail to many; null for others.',
  })
export const HeaderMessageId = (description = 'The `Message-ID` of the mail; null if it has none.') =>
  Nullable(Text(1, 998), { description })
export const Warnings = () =>
  List(Text(1, 50), 50, {
    description:
      'What was unusual about the mail: `message_id_reused`, `token_invalid`, `participants_dropped`, `operator_unverified`, `forward_unresolved`, `body_truncated`, `headers_truncated`, `charset_unknown`, `encrypted`, `tnef`, `auto_reply_failed`.',
  })

export const MailSubject = () => Nullable(Text(0, 998), { description: 'The subject of the mail.' })

const EmailSchema = Shape(
  {
    direction: Enum(directions, { description: 'Whether the mail came in or went out.' }),
    mailbox_id: Nullable(Id('mbx'), { description: 'The mailbox; null once it is deleted.' }),
    inbound_email_id: Nullable(Id('eml'), {
      description: 'The mail as it came; null for one that went out.',
    }),
    header_message_id: HeaderMessageId(),
    in_reply_to: HeaderMessageId('The `Message-ID` in `In-Reply-To`; null without one.'),
    references: List(Text(1, 998), 100, { description: 'The Message-IDs in `References`, oldest first.' }),
    from: Sender(),
    to: Addresses('The recipients in `To`.'),
    cc: Addresses('The recipients in `Cc`.'),
    bcc: Addresses('The hidden recipients of a mail that was sent.'),
    reply_to: Addresses('The addresses in `Reply-To`.'),
    subject: MailSubject(),
    quoted: Nullable(Text(0, maxQuoted), {
      description: 'The quoted history that was cut off the end of `body`; null if nothing was.',
    }),
    automatic: Automatic(),
    authentication: Authentication(),
    warnings: Warnings(),
  },
  { title: 'Email' },
)

export const Email = (): TSchema & { static: unknown } =>
  Nullable(EmailSchema, {
    description: 'The mail that the message came with, or is sent as; null for other messages.',
  }) as never

/** A code of three digits, or an enhanced one; null for none. */
export const SmtpCode = (notes: { description: string }) =>
  Type.Unsafe<string | number | null>({
    type: ['string', 'integer', 'null'],
    format: 'int32',
    minimum: 200,
    maximum: 599,
    maxLength: 11,
    pattern: '^[245](\\d\\d|\\.\\d{1,3}\\.\\d{1,3})$',
    examples: ['5.1.1'],
    ...notes,
  })

const DeliverySchema = Shape(
  {
    status: Enum(deliveryStatuses, {
      description:
        'That of the recipients: `bounced` or `failed` as soon as one is, or else the least that all have reached.',
    }),
    recipients: List(
      Shape({
        address: Text(1, 998, { description: 'The address.' }),
        kind: Enum(recipientKinds, { description: 'Where the mail names it.' }),
        status: Enum(deliveryStatuses, {
          description:
            '`queued`, `sent` once the relay has taken the mail, `delivered` or `bounced` if somebody reports it, or `failed`. It only moves forward.',
        }),
        reason: Nullable(Text(0, 500), {
          description:
            'Why it waits (`mailbox_unverified`, `mailbox_paused`, `file_scanning`, `deferred`), or has failed (`suppressed`, `refused`, `expired`, `outcome_unknown`, `cancelled`, `limit`, `smtputf8`), or the words of a report; null otherwise.',
        }),
        smtp_code: SmtpCode({
          description:
            'The code of the relay or of the report: of three digits, or an enhanced one such as `5.1.1`; null without one.',
        }),
        at: Timestamp({ description: 'The time of this status.' }),
      }),
      maxRecipients,
      { description: 'The recipients, hidden ones included.' },
    ),
    attempts: Int(0, 2147483647, { description: 'How often this server has tried to hand the mail over.' }),
    next_attempt_at: Nullable(Timestamp(), {
      description: 'The time of the next attempt; null without one.',
    }),
  },
  { title: 'Delivery' },
)

export const Delivery = () =>
  Nullable(DeliverySchema, {
    description: 'What has become of the mail that was sent; null for messages without one.',
  })

export const presentEmail = (email: MessageEmail | null): Record<string, unknown> | null =>
  email && {
    ...email,
    mailbox_id: email.mailbox_id && typeId('mbx', email.mailbox_id),
    inbound_email_id: email.inbound_email_id && typeId('eml', email.inbound_email_id),
  }
