import type { FilterTree, View } from '@backline/sdk'
import type { fieldTexts } from '../../texts/fields.ts'

export type ViewDraft = {
  name: string
  description: string
  applies_to: View['applies_to']
  filter: FilterTree
  sort: View['sort']
  columns: string[]
  visibility: View['visibility']
}

export const sortsOf: Record<View['applies_to'], View['sort'][]> = {
  conversation: ['-created_at', 'created_at', '-updated_at', '-last_message_at', 'sla_due_at'],
  end_user: ['-created_at', 'created_at', '-last_seen_at', 'name'],
}

export const firstFilter: Record<View['applies_to'], FilterTree> = {
  conversation: { all: [{ field: 'status', op: 'in', value: ['new', 'open'] }] },
  end_user: { all: [{ field: 'status', op: 'is', value: 'active' }] },
}

/** Columns that lists offer. */
export const columnsOf: Record<View['applies_to'], (keyof typeof fieldTexts)[]> = {
  conversation: [
    'subject',
    'end_user',
    'status',
    'priority',
    'assignee',
    'department',
    'category',
    'tags',
    'channel',
    'sla',
    'waiting_since',
    'last_message_at',
    'created_at',
  ],
  end_user: ['name', 'email', 'phone', 'company', 'status', 'last_seen_at', 'created_at'],
}
