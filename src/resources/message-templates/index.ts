import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'
import { messageTemplateExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `message_template.${verb}`,
  description,
  example: messageTemplateExample,
})

export default defineResource({
  name: 'message-templates',
  title: 'Message templates',
  description: 'Texts that are written once, in several languages, and filled in for each conversation.',
  routes,
  events: [
    event('created', 'A message template was created.'),
    event('updated', 'A message template was rewritten, renamed, moved or archived.'),
    event('deleted', 'A message template that no message was made from was deleted.'),
  ],
})
