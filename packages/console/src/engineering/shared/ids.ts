/** An audit entry and its event have the same characters after the prefix. */
export const eventIdOf = (entryId: string): string => entryId.replace(/^aud_/, 'evt_')
export const entryIdOf = (eventId: string): string => eventId.replace(/^evt_/, 'aud_')

/** The beginning and the end of an id, enough to tell ids apart at a glance. */
export function shortId(id: string): string {
  const [prefix = '', suffix = ''] = id.split(/_(?=[^_]*$)/)
  return suffix.length > 12 ? `${prefix}_…${suffix.slice(-6)}` : id
}
