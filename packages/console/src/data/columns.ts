/** Columns of views of conversations. Rows always have the subject and the person. */
export const columnNames = [
  'status',
  'priority',
  'assignee',
  'department',
  'category',
  'tags',
  'channel',
  'mailbox',
  'company',
  'language',
  'sla',
  'waiting_since',
  'last_message_at',
  'created_at',
  'updated_at',
  'message_count',
] as const

export type ColumnName = (typeof columnNames)[number]

const prefix = 'custom_fields.'

/** The key of the custom field of a column; null for other columns. */
export const keyOfColumn = (name: string): string | null =>
  name.startsWith(prefix) ? name.slice(prefix.length) : null

export const columnOfKey = (key: string): string => prefix + key

/** Those that rows can show. A view may have others, for other clients. */
export const shownColumns = (names: readonly string[]): string[] =>
  names.filter((name) => keyOfColumn(name) !== null || (columnNames as readonly string[]).includes(name))

/** Columns of views of end users. Rows always have the name. */
export const personColumns = [
  'email',
  'phone',
  'company',
  'status',
  'language',
  'external_id',
  'last_seen_at',
  'created_at',
] as const

export type PersonColumn = (typeof personColumns)[number]
