import { defineResource } from '../../../platform/resource/resource.ts'
import { workspaces } from './entity.ts'
import { routes } from './routes.ts'
import { workspaceExample } from './schema.ts'

export default defineResource({
  name: 'workspace',
  title: 'Workspace',
  group: { title: 'Administration', place: 61 },
  scopes: { family: 'workspace', roles: { agent: 'none', lead: 'none' } },
  description: 'The workspace of the API key, with its settings.',
  routes,
  entities: [workspaces],
  events: [
    {
      type: 'workspace.updated',
      description: 'The workspace was updated.',
      example: workspaceExample,
    },
  ],
})
