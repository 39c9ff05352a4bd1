import { readConfig } from '@backline/server/compose/config.ts'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import { listWorkspaces } from '@backline/server/support/admin/workspace/queries.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { printable, table } from './text.ts'

export const command = defineCommand({
  options: {},
  async run({ environment }) {
    const workspaces = await withDatabase(readConfig(environment), listWorkspaces)
    const data = workspaces.map((workspace) => ({
      id: typeId('ws', workspace.id),
      object: 'workspace',
      name: workspace.name,
      created_at: workspace.created_at,
    }))
    const rows = data.map(({ id, name, created_at }) => [id, created_at, printable(name)])
    return {
      json: { object: 'list', data },
      text: data.length === 0 ? 'There are no workspaces.' : table([['ID', 'CREATED', 'NAME'], ...rows]),
    }
  },
})
