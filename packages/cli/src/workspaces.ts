import { invocation } from '@backline/server/compose/invocation.ts'
import type { Database } from '@backline/server/platform/postgres/database.ts'
import { findWorkspaceByName, listWorkspaces } from '@backline/server/support/admin/workspace/queries.ts'
import { CommandError, UsageError } from './errors.ts'
import { printable } from './text.ts'

const maxNamed = 10

type Workspace = { id: string; name: string }

/**
 * The workspace with this name, ignoring case; without a name, the only one there is.
 * @throws CommandError `not_found` with the existing names, UsageError if there are several and none is named
 */
export async function workspaceFor(
  db: Database,
  name: string | undefined,
  command: string,
): Promise<Workspace> {
  const found = name === undefined ? null : await findWorkspaceByName(db, name)
  if (found) return found
  const all = await listWorkspaces(db)
  if (name === undefined && all.length === 1) return all[0]!
  const names = all.map((workspace) => printable(workspace.name))
  const more = names.length > maxNamed ? ', …' : ''
  const existing = `existing workspaces: ${names.slice(0, maxNamed).join(', ')}${more}`
  if (name === undefined && all.length > 1)
    throw new UsageError(`--workspace is required, because there are several; ${existing}`, command)
  const hint = all.length > 0 ? existing : `create one with ${invocation} workspaces create NAME`
  const subject =
    name === undefined ? 'there is no workspace' : `workspace ${JSON.stringify(name)} does not exist`
  throw new CommandError('not_found', `${subject}; ${hint}`)
}
