import { defineResource } from '../../resource.ts'
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
  description: 'Words that conversations are marked with.',
  routes,
  events: [
    event('created', 'A tag was created, by itself or by being used for the first time.'),
    event('updated', 'A tag was renamed, coloured, described or archived.'),
    event('merged', 'A tag went into another one, `merged_into_id`.', {
      merged_into_id: 'tag_01kah1x2pje4x8ywz5v3k0t6ab',
    }),
    event('deleted', 'A tag that nothing used was deleted.'),
  ],
})
