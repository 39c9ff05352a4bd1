import { defineResource, on } from '../../../platform/resource/resource.ts'
import { knownDefinitions } from './definitions.ts'
import { customFields } from './entity.ts'
import { workOnValues } from './indexing/actions.ts'
import { valuesJob } from './indexing/queries.ts'
import { raiseGenerations } from './queries.ts'
import { routes } from './routes.ts'
import { customFieldExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `custom_field.${verb}`,
  description,
  example: customFieldExample,
})

export default defineResource({
  name: 'custom-fields',
  title: 'Custom fields',
  group: { title: 'Fields and views', place: 36 },
  scopes: { family: 'custom_fields', roles: { agent: 'read', lead: 'read' } },
  description: 'Typed fields of your own on conversations, end users and companies.',
  routes,
  entities: [customFields],
  jobs: [{ name: valuesJob, perform: workOnValues }],
  reactions: [
    on(customFields, (change) => {
      change.effects.writeCounter(raiseGenerations, null)
      knownDefinitions.forgetAfter(change)
    }),
  ],
  events: [
    event('created', 'A custom field was created.'),
    event('updated', 'A custom field was updated or archived, or its index is ready.'),
    event('deleted', 'A custom field and its values were deleted.'),
  ],
})
