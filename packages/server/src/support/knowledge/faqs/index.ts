import { defineResource } from '../../../platform/resource/resource.ts'
import { faqs } from './entity.ts'
import { faqReactions } from './reactions.ts'
import { routes } from './routes.ts'
import { faqExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `faq.${verb}`,
  description,
  example: faqExample,
})

export default defineResource({
  name: 'faqs',
  title: 'FAQs',
  group: { title: 'Knowledge', place: 42 },
  scopes: { family: 'faqs', roles: { agent: 'read', lead: 'write' } },
  description: 'Frequently asked questions and their answers.',
  routes,
  entities: [faqs],
  reactions: faqReactions,
  events: [
    event('created', 'An FAQ was created.'),
    event('updated', 'An FAQ was updated, published or archived.'),
    event('reordered', 'FAQs were reordered and the position of this one changed.'),
    event('deleted', 'An FAQ was deleted.'),
  ],
})
