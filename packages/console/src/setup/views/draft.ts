import type { FilterTree, View } from '@backline/sdk'
import { columnNames, personColumns } from '../../data/columns.ts'

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

/** The columns that lists can show, apart from custom fields. */
export const columnsOf: Record<View['applies_to'], readonly string[]> = {
  conversation: columnNames,
  end_user: personColumns,
}
