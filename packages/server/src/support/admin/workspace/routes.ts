import { read, write } from '../../../platform/resource/resource.ts'
import { updateWorkspace } from './actions.ts'
import { findWorkspace } from './queries.ts'
import { WorkspacePatch, workspaceWire } from './schema.ts'

export const routes = [
  read({
    path: '/workspace',
    name: 'getWorkspace',
    summary: 'Get the workspace',
    description: 'Returns the workspace of the API key, with the settings of its environment.',
    scope: 'workspace:read',
    reply: workspaceWire,
    handle: (ctx) => findWorkspace(ctx.db, ctx.env.tenantId),
  }),
  write({
    method: 'PATCH',
    path: '/workspace',
    name: 'updateWorkspace',
    summary: 'Update the workspace',
    description:
      'The name is shared by both environments; all other settings apply to the environment of the key. A new `auto_close_after_seconds` applies to conversations that are resolved already, too.',
    scope: 'workspace:write',
    changesAdmission: true,
    errors: ['already_exists'],
    body: WorkspacePatch,
    bodyExample: { auto_close_after_seconds: 259_200 },
    reply: workspaceWire,
    handle: (change, { body }) => updateWorkspace(change, body),
  }),
]
