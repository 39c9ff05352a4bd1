import { defineResource } from '../../resource.ts'
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
  description: 'What is said in a conversation, publicly or as an internal note.',
  routes,
  events: [
    event('created', 'A message was added to a conversation.'),
    event('updated', 'A message was edited.', { edited_at: messageExample.updated_at }),
    event('redacted', 'The text of a message was erased.', {
      body: '',
      redacted_at: messageExample.updated_at,
    }),
  ],
})
