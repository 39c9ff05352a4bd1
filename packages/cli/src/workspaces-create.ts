import { issueFirstKeys } from '@backline/server/compose/bootstrap.ts'
import { readConfig } from '@backline/server/compose/config.ts'
import { bodyValidator } from '@backline/server/platform/http/request/validation.ts'
import { systemClock } from '@backline/server/platform/kernel/clock.ts'
import { ApiError } from '@backline/server/platform/kernel/errors.ts'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import { createWorkspace } from '@backline/server/support/admin/workspace/actions.ts'
import { listEnvironments } from '@backline/server/support/admin/workspace/queries.ts'
import { WorkspacePatch, workspaceWire } from '@backline/server/support/admin/workspace/schema.ts'
import { checkingArguments } from './arguments.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { CommandError } from './errors.ts'
import { printable } from './text.ts'

/** Prints a live and a test key of every scope, like the first start of a server. */
export const command = defineCommand({
  argument: 'NAME',
  options: {},
  async run({ argument: name, environment }) {
    const body = { name }
    await checkingArguments('workspaces create', { name: 'NAME' }, body, () =>
      bodyValidator(WorkspacePatch)(body, null),
    )
    const { workspace, keys } = await withDatabase(readConfig(environment), async (db) => {
      try {
        const workspace = await createWorkspace(db, systemClock, name)
        return {
          workspace,
          keys: await issueFirstKeys(db, systemClock, await listEnvironments(db, workspace.id)),
        }
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error
        throw new CommandError('already_exists', `workspace ${JSON.stringify(name)} already exists`, error)
      }
    })
    return {
      json: { ...JSON.parse(workspaceWire.json(workspace)), keys },
      text: `Created workspace ${printable(name)} (${typeId('ws', workspace.id)})

Save these API keys; they are shown only once:
  live  ${keys.live}
  test  ${keys.test}`,
    }
  },
})
