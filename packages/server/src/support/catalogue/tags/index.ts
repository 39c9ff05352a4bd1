import { defineResource } from '../../../platform/resource/resource.ts'
import { tags } from './entity.ts'
import { routes } from './routes.ts'
import { tagExample } from './schema.ts'

const event = (verb: string, description: string, changed = {}) => ({
  type: `tag.${verb}`,
  description,
  example: { ...tagExample, ...changed },
})

export default defineResource({
  name: 'tags',
  title: 'Tags',
  group: { title: 'Conversations', place: 13 },
  scopes: { family: 'tags', roles: { agent: 'read', lead: 'write' } },
  description: 'Labels for conversations.',
  routes,
  entities: [tags],
  events: [
    event('created', 'A tag was created, explicitly or by its first use.'),
    event('updated', 'A tag was updated or archived.'),
    event('merged', 'A tag was merged into another one, `merged_into_id`.', {
      merged_into_id: 'tag_01kah1x2pje4x8ywz5v3k0t6ab',
    }),
    event('deleted', 'An unused tag was deleted.'),
  ],
})
