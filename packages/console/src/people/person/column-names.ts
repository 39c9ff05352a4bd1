/** The columns that views of end users can have, beside the name. */
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
