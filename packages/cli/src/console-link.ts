import { readConfig } from '@backline/server/compose/config.ts'
import { systemClock, toInstant } from '@backline/server/platform/kernel/clock.ts'
import {
  createLink,
  hasAdministrator,
  hasOperator,
  linkMinutes,
} from '@backline/server/support/access/console/links.ts'
import { consoleMissing, isConsoleInstalled } from '@backline/server/support/documents/pages/console.ts'
import { linkUrl } from '@backline/server/support/vocabulary/credentials.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { CommandError } from './errors.ts'
import { printable } from './text.ts'
import { workspaceFor } from './workspaces.ts'

/** Prints only the URL. The link signs in once, whoever opens it. */
export const command = defineCommand({
  options: {
    workspace: { value: 'NAME', summary: 'The workspace (default: the only one there is)' },
    operator: {
      value: 'EMAIL',
      summary: 'The e-mail address of the operator to sign in (default: the first administrator)',
    },
  },
  async run({ options, environment }) {
    const config = readConfig(environment)
    if (!(await isConsoleInstalled())) throw new CommandError('not_found', consoleMissing)
    const email = options.operator ?? null
    const url = await withDatabase(config, async (db) => {
      const workspace = await workspaceFor(db, options.workspace, 'console link')
      const name = printable(workspace.name)
      if (email === null && (await hasAdministrator(db, workspace.id)))
        throw new CommandError(
          'already_exists',
          `workspace ${name} has an administrator; name the operator to sign in with --operator EMAIL`,
        )
      if (email !== null && !(await hasOperator(db, workspace.id, email)))
        throw new CommandError(
          'not_found',
          `workspace ${name} has no operator with the e-mail address ${printable(email)} who is not archived`,
        )
      const token = await createLink(db, systemClock, { workspaceId: workspace.id, email })
      return linkUrl(config.publicUrl, token)
    })
    const expires_at = toInstant(systemClock() + linkMinutes * 60_000)
    return { json: { object: 'console_link', url, operator: email, expires_at }, text: url }
  },
})
