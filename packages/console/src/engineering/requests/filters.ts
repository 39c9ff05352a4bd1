import { isId } from '../events/filters.ts'

export const filterNames = ['status', 'method', 'route', 'sender', 'from', 'to'] as const
export type Values = Record<(typeof filterNames)[number], string>

export const noFilters = Object.fromEntries(filterNames.map((name) => [name, ''])) as Values

const parameters = { key: 'key_id', cse: 'session_id', eus: 'session_id', op: 'operator_id' } as const

/** The parameter of the list for the id of a sender; null for what is none. */
export function senderParameter(id: string): (typeof parameters)[keyof typeof parameters] | null {
  const prefix = id.split('_', 1)[0]!
  return isId(id) && prefix in parameters ? parameters[prefix as keyof typeof parameters] : null
}
