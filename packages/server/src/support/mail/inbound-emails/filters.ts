import {
  CommaSeparated,
  Id,
  type Members,
  Optional,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/resource/schema.ts'

export const statuses = ['received', 'created', 'threaded', 'bounce', 'ignored', 'failed'] as const

export const InboundEmailFilters = Shape({
  status: Optional(
    CommaSeparated(statuses, {
      description: `Return only mails with one of these statuses, comma-separated: ${statuses.map((status) => `\`${status}\``).join(', ')}.`,
      examples: ['failed,ignored'],
    }),
  ),
  mailbox_id: Optional(Id('mbx', { description: 'Return only mails to this mailbox.' })),
  conversation_id: Optional(Id('conv', { description: 'Return only mails of this conversation.' })),
  from: Optional(Text(1, 998, { description: 'Return only mails from this address, regardless of case.' })),
  header_message_id: Optional(
    Text(1, 998, { description: 'Return only mails with this `Message-ID`, an exact match.' }),
  ),
  created_after: Optional(
    Timestamp({ description: 'Return only mails that arrived after this time, exclusive.' }),
  ),
  created_before: Optional(
    Timestamp({ description: 'Return only mails that arrived before this time, exclusive.' }),
  ),
})
export type InboundEmailFilters = Members<typeof InboundEmailFilters>
