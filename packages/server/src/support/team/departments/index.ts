import { defineResource } from '../../../platform/resource/resource.ts'
import { departments } from './entity.ts'
import { routes } from './routes.ts'
import { departmentExample } from './schema.ts'

const event = (verb: string, description: string) => ({
  type: `department.${verb}`,
  description,
  example: departmentExample,
})

export default defineResource({
  name: 'departments',
  title: 'Departments',
  group: { title: 'Team', place: 21 },
  scopes: { family: 'departments', roles: { agent: 'read', lead: 'read' } },
  description:
    'Teams that conversations are assigned to, with rules for routing conversations to their members.',
  routes,
  entities: [departments],
  events: [
    event('created', 'A department was created.'),
    event('updated', 'A department was changed or archived.'),
    event('members_changed', 'An operator was added to or removed from a department.'),
    event('deleted', 'A department that nothing refers to was deleted.'),
  ],
})
