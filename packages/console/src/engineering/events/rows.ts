import type { Actor, AuditEntry, Event } from '@backline/sdk'

/** An event as a line of the log. */
export type Row = {
  id: string
  type: string
  at: string
  actor: Actor
  resource: { type: string; id: string }
  /** The text that the search looks at, in lower case. */
  text: string
}

const searchText = (...parts: unknown[]): string => JSON.stringify(parts).toLowerCase()

export const rowOfEvent = ({ id, type, created_at: at, actor, request, resource, data }: Event): Row => ({
  id,
  type,
  at,
  actor,
  resource,
  text: searchText(id, type, actor, resource, request, data.object),
})

/** The log of the audit has the same changes as the journal, and can be read from its end. */
export const rowOfEntry = (entry: AuditEntry, eventId: string): Row => ({
  id: eventId,
  type: entry.action,
  at: entry.created_at,
  actor: entry.actor,
  resource: entry.target,
  text: searchText(eventId, entry.action, entry.actor, entry.target, entry.request_id, entry.changes),
})

/** The conversation that an event is about, itself or by one of its messages. */
export function conversationOf({ resource, data }: Pick<Event, 'resource' | 'data'>): string | null {
  if (resource.type === 'conversation') return resource.id
  const { conversation_id: id } = data.object as { conversation_id?: unknown }
  return typeof id === 'string' ? id : null
}
