/** Fields of a conversation that follow from others, and say nothing of their own about a change. */
export const derivedFields: ReadonlySet<string> = new Set([
  'version',
  'updated_at',
  'sla',
  'message_count',
  'last_message_at',
  'last_message_side',
  'unread_count',
  'first_response_at',
  'waiting_since',
  'assignment',
  'resolved_at',
  'closed_at',
])
