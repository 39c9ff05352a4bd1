import { readConfig } from '../config.ts'
import { typeId } from '../lib/ids.ts'
import { listWorkspaces } from '../resources/workspace/queries.ts'
import type { Output } from './command.ts'
import { withDatabase } from './database.ts'
import { printable, table } from './text.ts'

export async function listAllWorkspaces(): Promise<Output> {
  const workspaces = await withDatabase(readConfig(), listWorkspaces)
  const data = workspaces.map((workspace) => ({
    id: typeId('ws', workspace.id),
    object: 'workspace',
    name: workspace.name,
    created_at: workspace.created_at,
  }))
  const rows = data.map(({ id, name, created_at }) => [id, created_at, printable(name)])
  return {
    json: { object: 'list', data },
    text: data.length === 0 ? 'There is no workspace.' : table([['ID', 'CREATED', 'NAME'], ...rows]),
  }
}
