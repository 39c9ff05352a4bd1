import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Archived,
  Distinct,
  Enum,
  Flag,
  Id,
  Int,
  List,
  type Members,
  Metadata,
  MetadataPatch,
  Nullable,
  Optional,
  PartialShape,
  revision,
  Shape,
  Text,
  Timestamp,
  Type,
  WithCheck,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { templateFaults } from '../message-templates/liquid.ts'
import { canonicalAddress, MailAddress, MailboxAddress, maxAddressLength } from './addresses.ts'
import type { Mailbox } from './queries.ts'
import { faultsOfSmtp, securities } from './smtp.ts'

/** The placeholder of a password. */
const hidden = '***'
const maxAttachBytes = 26_214_400

type Notes = { description?: string; default?: unknown }

const Template = (maxLength: number, notes: Notes) => WithCheck(Text(1, maxLength, notes), templateFaults)

const Password = () =>
  Nullable(
    WithCheck(Text(1, 1_000), (password) =>
      password === hidden
        ? [{ code: 'not_allowed', detail: `must not be ${hidden}, which only stands for the password` }]
        : [],
    ),
    {
      description:
        'The password, required with a `username`. It is stored encrypted and no response contains it. Null for none.',
    },
  )

const relay = {
  host: Text(1, 253, {
    description:
      'The host name or IP address of the relay. Addresses that are not globally reachable are refused unless the configuration of the server allows their network: an address here, a name when it is connected to.',
    examples: ['smtp.example.com'],
  }),
  port: Int(1, 65_535, {
    description: '25, 465, 587 or 2525; any port in a network that the configuration of the server allows.',
  }),
  security: Enum(securities, {
    description:
      '`tls` encrypts from the start, `starttls` by the command of that name, which the relay must know. `none` is for networks that the configuration of the server allows.',
  }),
}

const Username = () =>
  Nullable(Text(1, 255), {
    description: 'The user name, required with a `password`. Null for a relay without authentication.',
  })

const NewSmtp = () =>
  Nullable(
    WithCheck(
      Shape({ ...relay, username: Optional(Username()), password: Optional(Password()) }),
      (smtp, { services }) =>
        faultsOfSmtp(smtp, services.smtpNetworks).map(({ field, ...fault }) => ({
          pointer: `/${field}`,
          ...fault,
        })),
      ['host', 'port', 'security'],
    ),
    { description: 'The relay through which mail is sent. Required if `outbound` is `smtp`.' },
  )

const SmtpPatch = () =>
  Nullable(PartialShape({ ...relay, username: Username(), password: Password() }), {
    description:
      'Merged field by field; the result must be complete. A change clears `verified_at`. Null removes the relay.',
  })

const AutoReplyTo = (notes: Notes = {}) =>
  Enum(['authenticated', 'anyone'], {
    description:
      'Who gets the reply: `authenticated` senders alone, whose address DMARC has confirmed, or `anyone`.',
    ...notes,
  })

const autoReply = {
  template_id: Id('tmpl', {
    description:
      'The message template of the reply. If it is archived later, the mailbox keeps it and goes on to send it.',
  }),
  to: AutoReplyTo(),
}
const autoReplyNotes = {
  description:
    'The reply to each mail that begins a conversation, sent once and never to automatic mail. Null for none.',
}

/** `notes` returns the schema notes of a field with this default value. */
const fieldsWith = (notes: (value: unknown) => { default?: unknown }) => ({
  aliases: Distinct(
    List(MailboxAddress(), 20, {
      description:
        'Further addresses that lead here, in lower case. An address leads to one mailbox of the environment.',
      ...notes([]),
    }),
    'must not repeat an address',
    canonicalAddress,
  ),
  from_name: Nullable(
    Template(200, {
      description: 'The name of the sender in mail, a Liquid template such as `{{ operator.name }}`.',
    }),
  ),
  signature: Nullable(
    Template(5_000, {
      description: 'The end of each mail, a Liquid template of Markdown. It is in the mail alone.',
    }),
  ),
  department_id: Nullable(Id('dept'), {
    description:
      'The department of conversations that mail begins. If it is archived later, the mailbox keeps it, and new conversations begin without a department.',
  }),
  outbound: Enum(['client', 'smtp'], {
    description:
      'How mail is sent: `smtp` by the server, through the relay in `smtp`; `client` by your own code, which follows `message.created`.',
    ...notes('client'),
  }),
  status: Enum(['enabled', 'paused'], {
    description: 'In a paused mailbox, mail to be sent waits; mail still comes in.',
    ...notes('enabled'),
  }),
  plus_addressing: Flag({
    description: 'Whether mail to `local+token@domain` reaches the mailbox.',
    ...notes(true),
  }),
  trusted_authserv_ids: Distinct(
    List(
      Type.String({
        minLength: 1,
        maxLength: 255,
        pattern: '^(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
        examples: ['mx.example.com'],
      }),
      10,
      {
        description:
          'The authserv-ids (RFC 8601) under which your own mail server reports SPF, DKIM and DMARC; `*.example.com` stands for all below `example.com`. Your mail server must remove such headers from mail that arrives. Without any, no mail counts as authenticated.',
        ...notes([]),
      },
    ),
    'must not repeat an id',
    (id) => id.toLowerCase(),
  ),
  reply_to_senders: Distinct(
    List(MailAddress(), 20, {
      description:
        'The addresses of form mailers, in lower case: the `Reply-To` of their mail names the sender.',
      ...notes([]),
    }),
    'must not repeat an address',
    canonicalAddress,
  ),
  quote: Enum(['none', 'last'], {
    description: 'With `last`, sent mail quotes the last public message before it.',
    ...notes('none'),
  }),
  attach_max_bytes: Int(0, maxAttachBytes, {
    description: 'The total size in bytes of the files that are attached to a mail; further files are links.',
    ...notes(10_485_760),
  }),
  rate_per_minute: Int(1, 6_000, {
    description: 'The maximum number of mails that are handed over to the relay in any minute.',
    ...notes(60),
  }),
})
const fields = fieldsWith(() => ({}))
const newFields = fieldsWith((value) => ({ default: value }))

export const mailboxExample = {
  id: 'mbx_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'mailbox',
  address: 'support@example.com',
  aliases: ['help@example.com'],
  from_name: '{{ operator.name }} from Example',
  signature: null,
  department_id: null,
  outbound: 'smtp',
  smtp: { host: 'smtp.example.com', port: 465, security: 'tls', username: 'support', password: hidden },
  status: 'enabled',
  plus_addressing: true,
  trusted_authserv_ids: ['mx.example.com'],
  reply_to_senders: [],
  auto_reply: { template_id: 'tmpl_01kah1t3v8fk5s5m0q9e7p2wzr', to: 'authenticated' },
  quote: 'none',
  attach_max_bytes: 10_485_760,
  rate_per_minute: 60,
  verified_at: null,
  archived: false,
  metadata: {},
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

const address = (notes: { description: string }) => Text(0, maxAddressLength, notes)

export const mailboxWire = defineWire<Mailbox>({
  name: 'Mailbox',
  schema: Shape({
    id: Id('mbx'),
    object: Enum(['mailbox']),
    address: address({
      description: 'The address in lower case, its domain in ASCII. It cannot be changed.',
    }),
    ...fields,
    smtp: Nullable(
      Shape({
        ...relay,
        username: Username(),
        password: Nullable(Type.String({ maxLength: 3, pattern: '^\\*{3}$', examples: [hidden] }), {
          description: `\`${hidden}\` if there is a password, which is never shown; null if there is none.`,
        }),
      }),
      { description: 'The relay through which mail is sent.' },
    ),
    auto_reply: Nullable(Shape(autoReply), autoReplyNotes),
    verified_at: Nullable(Timestamp(), {
      description:
        'The time at which a test mail was sent with these settings; null since `smtp` was changed, and until then mail waits.',
    }),
    archived: Archived(),
    metadata: Metadata(),
    ...revision,
  }),
  example: mailboxExample,
  present: (row) => ({
    id: typeId('mbx', row.id),
    object: 'mailbox',
    address: row.address,
    aliases: row.aliases,
    from_name: row.from_name,
    signature: row.signature,
    department_id: row.department_id && typeId('dept', row.department_id),
    outbound: row.outbound,
    smtp: row.smtp && { ...row.smtp, password: row.smtp_password_sealed && hidden },
    status: row.status,
    plus_addressing: row.plus_addressing,
    trusted_authserv_ids: row.trusted_authserv_ids,
    reply_to_senders: row.reply_to_senders,
    auto_reply: row.auto_reply_template_id && {
      template_id: typeId('tmpl', row.auto_reply_template_id),
      to: row.auto_reply_to,
    },
    quote: row.quote,
    attach_max_bytes: row.attach_max_bytes,
    rate_per_minute: row.rate_per_minute,
    verified_at: row.verified_at,
    archived: row.archived,
    metadata: row.metadata,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
  }),
})

export const NewMailbox = Shape({
  address: MailboxAddress({
    description:
      'The address, in any case and without `+`. It leads to one mailbox of the environment, and no alias of another is like it. It cannot be changed.',
  }),
  aliases: Optional(newFields.aliases),
  from_name: Optional(newFields.from_name),
  signature: Optional(newFields.signature),
  department_id: Optional(newFields.department_id),
  outbound: Optional(newFields.outbound),
  smtp: Optional(NewSmtp()),
  status: Optional(newFields.status),
  plus_addressing: Optional(newFields.plus_addressing),
  trusted_authserv_ids: Optional(newFields.trusted_authserv_ids),
  reply_to_senders: Optional(newFields.reply_to_senders),
  auto_reply: Optional(
    Nullable(
      Shape({ template_id: autoReply.template_id, to: Optional(AutoReplyTo({ default: 'authenticated' })) }),
      autoReplyNotes,
    ),
  ),
  quote: Optional(newFields.quote),
  attach_max_bytes: Optional(newFields.attach_max_bytes),
  rate_per_minute: Optional(newFields.rate_per_minute),
  metadata: Optional(Metadata()),
  archived: Optional(Archived({ default: false })),
})
export type NewMailbox = Members<typeof NewMailbox>

export const MailboxPatch = PartialShape({
  ...fields,
  smtp: SmtpPatch(),
  auto_reply: Nullable(PartialShape(autoReply), {
    description: 'Merged field by field; the result must have a `template_id`. Null for no reply.',
  }),
  archived: Archived(),
  metadata: MetadataPatch(),
})
export type MailboxPatch = Members<typeof MailboxPatch>
