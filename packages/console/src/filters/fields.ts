import type { CustomField, FilterOperator } from '@backline/sdk'
import type { fieldTexts } from '../texts/fields.ts'
import {
  channels,
  endUserStatuses,
  priorities,
  sides,
  slaStatuses,
  statuses,
  waitingOn,
} from '../texts/values.ts'

export type Kind = 'text' | 'enumeration' | 'id' | 'number' | 'time' | 'boolean' | 'list'
export type Reference =
  | 'operators'
  | 'departments'
  | 'categories'
  | 'companies'
  | 'hold_reasons'
  | 'mailboxes'
  | 'tags'

export type FilterField = {
  field: string
  kind: Kind
  /** The name of its text; custom fields have a `name` of their own. */
  text?: keyof typeof fieldTexts
  name?: string
  values?: readonly string[]
  /** Options of custom fields, with the labels that people gave them. */
  options?: { value: string; label: string }[]
  refers?: Reference
}

const plain: FilterOperator[] = ['is', 'is_not', 'in', 'not_in', 'exists']
const ordered: FilterOperator[] = [...plain, 'gt', 'gte', 'lt', 'lte']

/** The operators of each kind, as docs/filters.md lists them; the first one is the usual one. */
export const operatorsOf: Record<Kind, FilterOperator[]> = {
  text: ['contains', 'starts_with', ...plain],
  enumeration: ['in', 'not_in', 'is', 'is_not', 'exists'],
  id: ['is', 'is_not', 'in', 'not_in', 'exists'],
  number: ['gte', 'lte', 'gt', 'lt', ...plain],
  time: ['within', 'gte', 'lt', ...ordered.filter((op) => op !== 'gte' && op !== 'lt')],
  boolean: ['is', 'is_not', 'exists'],
  list: ['contains', 'exists'],
}

const languageField: FilterField = { field: 'language', kind: 'text', text: 'language' }
const created: FilterField = { field: 'created_at', kind: 'time', text: 'created_at' }
const updated: FilterField = { field: 'updated_at', kind: 'time', text: 'updated_at' }
const company: FilterField = { field: 'company_id', kind: 'id', text: 'company', refers: 'companies' }

const conversationFields: FilterField[] = [
  {
    field: 'status',
    kind: 'enumeration',
    text: 'status',
    values: statuses,
  },
  { field: 'assignee_id', kind: 'id', text: 'assignee', refers: 'operators' },
  { field: 'department_id', kind: 'id', text: 'department', refers: 'departments' },
  { field: 'category_id', kind: 'id', text: 'category', refers: 'categories' },
  { field: 'tags', kind: 'list', text: 'tags', refers: 'tags' },
  { field: 'priority', kind: 'enumeration', text: 'priority', values: priorities },
  {
    field: 'waiting_on',
    kind: 'enumeration',
    text: 'waiting_on',
    values: waitingOn,
  },
  { field: 'waiting_since', kind: 'time', text: 'waiting_since' },
  {
    field: 'sla.status',
    kind: 'enumeration',
    text: 'sla_status',
    values: slaStatuses,
  },
  { field: 'sla.due_at', kind: 'time', text: 'sla_due_at' },
  { field: 'sla.breached_at', kind: 'time', text: 'sla_breached_at' },
  { field: 'hold.hold_reason_id', kind: 'id', text: 'hold_reason', refers: 'hold_reasons' },
  { field: 'mailbox_id', kind: 'id', text: 'mailbox', refers: 'mailboxes' },
  {
    field: 'channel',
    kind: 'enumeration',
    text: 'channel',
    values: channels,
  },
  {
    field: 'initiated_by_side',
    kind: 'enumeration',
    text: 'initiated_by_side',
    values: sides,
  },
  { field: 'subject', kind: 'text', text: 'subject' },
  languageField,
  created,
  updated,
  { field: 'last_message_at', kind: 'time', text: 'last_message_at' },
  { field: 'resolved_at', kind: 'time', text: 'resolved_at' },
  { field: 'closed_at', kind: 'time', text: 'closed_at' },
  { field: 'message_count', kind: 'number', text: 'message_count' },
  { field: 'reopened_count', kind: 'number', text: 'reopened_count' },
  company,
  { field: 'end_user.email', kind: 'text', text: 'end_user_email' },
  { field: 'end_user.verified', kind: 'boolean', text: 'end_user_verified' },
  { field: 'end_user_id', kind: 'id', text: 'end_user_id' },
  { field: 'external_user_id', kind: 'text', text: 'external_user_id' },
  { field: 'external_id', kind: 'text', text: 'external_id' },
]

const endUserFields: FilterField[] = [
  { field: 'name', kind: 'text', text: 'name' },
  { field: 'email', kind: 'text', text: 'email' },
  { field: 'phone', kind: 'text', text: 'phone' },
  company,
  {
    field: 'status',
    kind: 'enumeration',
    text: 'status',
    values: endUserStatuses,
  },
  { field: 'verified', kind: 'boolean', text: 'verified' },
  languageField,
  created,
  updated,
  { field: 'last_seen_at', kind: 'time', text: 'last_seen_at' },
  { field: 'external_id', kind: 'text', text: 'external_id' },
]

const kindOfType: Record<CustomField['type'], Kind> = {
  text: 'text',
  url: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'time',
  datetime: 'time',
  select: 'enumeration',
  multi_select: 'list',
}

/** The fields that filters of these objects can use, custom ones last. */
export function fieldsOf(appliesTo: 'conversation' | 'end_user', custom: CustomField[]): FilterField[] {
  const owners = appliesTo === 'conversation' ? (['end_user', 'company'] as const) : (['company'] as const)
  const from = (owner: CustomField['applies_to'], prefix: string): FilterField[] =>
    custom
      .filter(({ applies_to }) => applies_to === owner)
      .map(({ key, name, type, options }) => ({
        field: `${prefix}custom_fields.${key}`,
        kind: kindOfType[type] ?? 'text',
        name,
        ...(options.length > 0 && { options }),
      }))
  return [
    ...(appliesTo === 'conversation' ? conversationFields : endUserFields),
    ...from(appliesTo, ''),
    ...owners.flatMap((owner) => from(owner, `${owner}.`)),
  ]
}
