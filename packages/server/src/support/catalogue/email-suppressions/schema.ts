import { typeId } from '../../../platform/kernel/ids.ts'
import {
  Enum,
  Id,
  type Members,
  Nullable,
  Optional,
  revision,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/resource/schema.ts'
import { defineWire } from '../../../platform/resource/wire.ts'
import { MailAddress, maxAddressLength } from '../mailboxes/addresses.ts'
import type { EmailSuppression } from './queries.ts'

const Reason = (notes: { default?: string } = {}) =>
  Enum(['bounce', 'complaint', 'manual'], {
    description:
      '`bounce`: mail to the address came back for good. `complaint`: the recipient reported mail as abuse. `manual`: a client suppressed it.',
    ...notes,
  })

const fields = {
  message_id: Nullable(Id('msg'), {
    description: 'The message whose mail led to the suppression. It may have been deleted since.',
  }),
  expires_at: Nullable(Timestamp(), {
    description:
      'The time from which the address gets mail again; the suppression is then deleted. Null for no end.',
  }),
}

export const suppressionExample = {
  id: 'sup_01kah1vgm0e1tbm5ye8n2m9q7c',
  object: 'email_suppression',
  address: 'ada@example.com',
  reason: 'manual',
  message_id: null,
  expires_at: null,
  created_at: '2026-11-20T09:00:00.000Z',
  updated_at: '2026-11-20T09:00:00.000Z',
  version: 1,
}

export const suppressionWire = defineWire<EmailSuppression>({
  name: 'EmailSuppression',
  schema: Shape({
    id: Id('sup'),
    object: Enum(['email_suppression']),
    address: Text(0, maxAddressLength, {
      description: 'The address that gets no mail, in lower case, its domain in ASCII.',
    }),
    reason: Reason(),
    ...fields,
    ...revision,
  }),
  example: suppressionExample,
  present: (row) => ({
    ...row,
    id: typeId('sup', row.id),
    object: 'email_suppression',
    message_id: row.message_id && typeId('msg', row.message_id),
  }),
})

export const NewSuppression = Shape({
  address: MailAddress({ description: 'The address, in any case. It is suppressed once.' }),
  reason: Optional(Reason({ default: 'manual' })),
  message_id: Optional(fields.message_id),
  expires_at: Optional(fields.expires_at),
})
export type NewSuppression = Members<typeof NewSuppression>

export const SuppressionFilters = Shape({
  address: Optional(
    MailAddress({ description: 'Return only the suppression of this address, regardless of case.' }),
  ),
})
