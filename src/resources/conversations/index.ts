import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'
import { conversationExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `conversation.${verb}`,
  description,
  example: conversationExample,
})

export default defineResource({
  name: 'conversations',
  title: 'Conversations',
  description: 'What an end user and the operators talk about, from the first message to the end.',
  routes,
  events: [
    event('created', 'A conversation began.'),
    event('updated', 'Fields of a conversation changed, or a message changed its status to pending or open.'),
    event('resolved', 'A conversation was resolved.'),
    event('reopened', 'A resolved conversation was opened again.'),
    event('closed', 'A conversation was closed for good.'),
    event('read', 'A side has read messages.'),
  ],
})
