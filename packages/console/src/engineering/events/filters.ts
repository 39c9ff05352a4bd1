import type { Event } from '@backline/sdk'
import { covers } from '../shared/event-types.ts'
import { conversationOf } from './rows.ts'

export type Filters = { types: string[]; resource: string; conversation: string }

export const isId = (text: string): boolean => /^[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text)
export const isConversationId = (text: string): boolean => isId(text) && text.startsWith('conv_')

/** Does a new event belong into the log that the filters choose? */
export const passes = (event: Event, { types, resource, conversation }: Filters): boolean =>
  (types.length === 0 || covers(types, event.type)) &&
  (resource === '' || event.resource.id === resource) &&
  (conversation === '' || conversationOf(event) === conversation)
