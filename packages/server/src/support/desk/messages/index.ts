import { defineResource } from '../../../platform/resource/resource.ts'
import { messages } from './entity.ts'
import { routes } from './routes.ts'
import { messageExample } from './schema.ts'

const event = (verb: string, description: string, changed = {}) => ({
  type: `message.${verb}`,
  description,
  example: { ...messageExample, ...changed },
})

export default defineResource({
  name: 'messages',
  title: 'Messages',
  group: { title: 'Conversations', place: 12 },
  description: 'Public messages and internal notes of conversations.',
  routes,
  entities: [messages],
  events: [
    event('created', 'A message was added to a conversation.'),
    event('updated', 'A message was edited.', { edited_at: messageExample.updated_at }),
    event('redacted', 'A message was redacted.', {
      body: '',
      redacted_at: messageExample.updated_at,
    }),
  ],
})
