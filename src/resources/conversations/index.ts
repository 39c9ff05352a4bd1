import { defineResource } from '../../resource.ts'
import { autoClose } from './auto-close.ts'
import { holdExpiry } from './hold.ts'
import { holdFollowUp } from './hold-follow-up.ts'
import { routes } from './routes.ts'
import { lookAgain, routeDepartment, routeOperator } from './routing/routing.ts'
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
    event('assigned', 'A conversation came to an operator or a department, or was taken from one.'),
    event('held', 'A conversation was put on hold.'),
    event('resumed', 'A conversation came off hold.'),
    event('resolved', 'A conversation was resolved.'),
    event('reopened', 'A resolved conversation was opened again.'),
    event('closed', 'A conversation was closed for good.'),
    event('merged', 'A conversation was closed for another one, `merged_into_id`.'),
    event('tags_changed', 'Tags were added to a conversation or removed from it.'),
    event('read', 'A side has read messages.'),
  ],
  duties: [holdExpiry, holdFollowUp, autoClose, routeDepartment, lookAgain, routeOperator],
})
