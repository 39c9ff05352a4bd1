import { defineResource } from '../../../platform/resource/resource.ts'
import { companies } from './entity.ts'
import { companyReactions } from './reactions.ts'
import { routes } from './routes.ts'
import { companyExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `company.${verb}`,
  description,
  example: companyExample,
})

export default defineResource({
  name: 'companies',
  title: 'Companies',
  group: { title: 'People', place: 18 },
  scopes: { family: 'companies', roles: { agent: 'write', lead: 'write' } },
  description: 'The companies that end users belong to.',
  routes,
  entities: [companies],
  reactions: companyReactions,
  events: [
    event('created', 'A company was created.'),
    event('updated', 'A company was updated or archived.'),
    event('deleted', 'A company that nothing refers to was deleted.'),
  ],
})
