import { defineResource } from '../../resource.ts'
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
  description: 'Questions that are asked often, and their answers.',
  routes,
  events: [
    event('created', 'An FAQ was created.'),
    event('updated', 'An FAQ was changed, published or archived.'),
    event('reordered', 'The position of an FAQ changed with those of others.'),
    event('deleted', 'An FAQ was deleted.'),
  ],
})
