import { defineResource } from '../../../platform/resource/resource.ts'
import { onPolicy, retention } from './carrying-out.ts'
import { retentionPolicies } from './entity.ts'
import './kind.ts'
import { routes } from './routes.ts'
import { retentionExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `retention_policy.${verb}`,
  description,
  example: retentionExample,
})

export default defineResource({
  name: 'retention',
  title: 'Retention policies',
  group: { title: 'Data', place: 47 },
  description: 'Rules by which conversations are redacted or deleted some time after they were closed.',
  routes,
  entities: [retentionPolicies],
  reactions: [onPolicy],
  events: [
    event('created', 'A retention policy was created.'),
    event('updated', 'A retention policy was updated.'),
    event('deleted', 'A retention policy was deleted.'),
  ],
  jobs: [retention],
})
