import { defineResource } from '../../../platform/resource/resource.ts'
import { messageTemplates } from './entity.ts'
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
  group: { title: 'Automation', place: 34 },
  scopes: { family: 'message_templates', roles: { agent: 'read', lead: 'write' } },
  description: 'Reusable message texts in several languages, with variables filled in for each conversation.',
  routes,
  entities: [messageTemplates],
  events: [
    event('created', 'A message template was created.'),
    event('updated', 'A message template was updated or archived.'),
    event('deleted', 'An unused message template was deleted.'),
  ],
})
