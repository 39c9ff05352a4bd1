import { type Fields, fieldsOf } from '../../../../platform/filters/fields.ts'
import type { Definitions } from '../../../properties/custom-fields/definitions.ts'
import {
  type CustomFieldsByPrefix,
  withCustomFields,
} from '../../../properties/custom-fields/filters/fields.ts'
import { channels, priorities } from '../../../vocabulary/conversations.ts'
import { sides, statuses, waitingOns } from '../lifecycle.ts'

export const slaStatuses = ['breached', 'running', 'paused', 'met', 'cancelled'] as const

/** The fields that filters of conversations can name, besides custom fields. */
export const conversationFieldTable = {
  status: { kind: 'enum', values: statuses, description: 'The status.' },
  waiting_on: { kind: 'enum', values: waitingOns, description: 'The side that is expected to act next.' },
  priority: { kind: 'enum', values: priorities, description: 'The priority.' },
  channel: { kind: 'enum', values: channels, description: 'The channel.' },
  initiated_by_side: { kind: 'enum', values: sides, description: 'The side that started the conversation.' },
  assignee_id: {
    kind: 'id',
    prefix: 'op',
    takesMe: true,
    description: 'The assignee; `me` is the operator of `Backline-Operator`.',
  },
  department_id: { kind: 'id', prefix: 'dept', description: 'The department.' },
  category_id: { kind: 'id', prefix: 'cat', description: 'The category, without its subcategories.' },
  tags: { kind: 'list', folding: 'name', description: 'The names of the tags.' },
  external_id: { kind: 'text', description: "The conversation's id in your system." },
  subject: { kind: 'text', description: 'The subject line.' },
  language: { kind: 'text', description: 'The language.' },
  end_user_id: {
    kind: 'id',
    prefix: 'eu',
    description: 'The end user, also by the id of one that was merged.',
  },
  external_user_id: {
    kind: 'text',
    description: "The end user's id in your system, also that of one that was merged.",
  },
  'end_user.verified': {
    scope: 'end_users:read',
    kind: 'boolean',
    description: 'Whether the identity of the end user was proved by a JWT.',
  },
  'end_user.email': {
    scope: 'end_users:read',
    kind: 'text',
    folding: 'address',
    description: 'One of the e-mail addresses of the end user.',
  },
  company_id: { kind: 'id', prefix: 'co', description: 'The company.' },
  message_count: { kind: 'number', description: 'The number of messages, internal notes included.' },
  reopened_count: { kind: 'number', description: 'How often the conversation was reopened.' },
  'hold.hold_reason_id': { kind: 'id', prefix: 'hold', description: 'The reason of the current hold.' },
  'sla.status': {
    kind: 'enum',
    values: slaStatuses,
    description: 'The worst status of the SLA clocks, in the order of these values.',
  },
  'sla.due_at': { kind: 'time', description: 'The earliest due time of a running SLA clock.' },
  created_at: { kind: 'time', description: 'The time of creation.' },
  updated_at: { kind: 'time', description: 'The time of the last change.' },
  last_message_at: { kind: 'time', description: 'The time of the last message or internal note.' },
  waiting_since: { kind: 'time', description: 'The time since which the conversation waits.' },
  resolved_at: { kind: 'time', description: 'The time at which the conversation was resolved.' },
  closed_at: { kind: 'time', description: 'The time at which the conversation was closed.' },
} as const

export type ConversationField = keyof typeof conversationFieldTable

/** The custom fields of conversations, of their end users and of their companies. */
export const conversationCustomFields = ({
  conversation,
  end_user,
  company,
}: Definitions): CustomFieldsByPrefix => ({
  'custom_fields.': conversation,
  'end_user.custom_fields.': end_user,
  'company.custom_fields.': company,
})

export const conversationFields = (definitions: Definitions): Fields =>
  withCustomFields(fieldsOf(conversationFieldTable), conversationCustomFields(definitions))
