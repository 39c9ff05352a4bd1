import { invocation } from '@backline/server/compose/invocation.ts'
import type { Database } from '@backline/server/platform/postgres/database.ts'
import { findWorkspaceByName, listWorkspaces } from '@backline/server/support/admin/workspace/queries.ts'
import { CommandError } from './errors.ts'
import { printable } from './text.ts'

const maxNamed = 10

/** The workspace with this name, ignoring case. @throws CommandError `not_found` with the existing names */
export async function workspaceNamed(db: Database, name: string): Promise<{ id: string; name: string }> {
  const found = await findWorkspaceByName(db, name)
  if (found) return found
  const names = (await listWorkspaces(db)).map((workspace) => printable(workspace.name))
  const more = names.length > maxNamed ? ', …' : ''
  const hint =
    names.length > 0
      ? `existing workspaces: ${names.slice(0, maxNamed).join(', ')}${more}`
      : `create one with ${invocation} workspaces create NAME`
  throw new CommandError('not_found', `workspace ${JSON.stringify(name)} does not exist; ${hint}`)
}
