import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'
import { tagExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `tag.${verb}`,
  description,
  example: tagExample,
})

export default defineResource({
  name: 'tags',
  title: 'Tags',
  description: 'Words that conversations are marked with.',
  routes,
  events: [
    event('created', 'A tag was created, by itself or by being used for the first time.'),
    event('updated', 'A tag was renamed, coloured, described or archived.'),
    event('merged', 'A tag went into another one, `merged_into_id`.'),
    event('deleted', 'A tag that nothing used was deleted.'),
  ],
})
