import { defineResource } from '../../resource.ts'
import { routes } from './routes.ts'
import { workspaceExample } from './schema.ts'

export default defineResource({
  name: 'workspace',
  title: 'Workspace',
  description: 'The tenant and its settings.',
  routes,
  events: [
    {
      type: 'workspace.updated',
      description: 'Settings of the workspace changed.',
      example: workspaceExample,
    },
  ],
})
