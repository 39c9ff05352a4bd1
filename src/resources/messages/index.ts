import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'
import { messageExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `message.${verb}`,
  description,
  example: messageExample,
})

export default defineResource({
  name: 'messages',
  title: 'Messages',
  description: 'What is said in a conversation, publicly or as an internal note.',
  routes,
  events: [
    event('created', 'A message was added to a conversation.'),
    event('updated', 'A message was edited.'),
    event('redacted', 'The text of a message was erased.'),
  ],
})
