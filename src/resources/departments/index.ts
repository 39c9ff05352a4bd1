import { defineResource } from '../../resource.ts'
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
  description: 'Teams that conversations are given to, and how their members share them.',
  routes,
  events: [
    event('created', 'A department was created.'),
    event('updated', 'A department was changed or archived.'),
    event('members_changed', 'An operator joined or left the department.'),
    event('deleted', 'A department that nothing refers to was deleted.'),
  ],
})
