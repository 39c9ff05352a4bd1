import { issueKey } from '@backline/server/compose/bootstrap.ts'
import { readConfig } from '@backline/server/compose/config.ts'
import { bodyValidator } from '@backline/server/platform/http/request/validation.ts'
import { systemClock } from '@backline/server/platform/kernel/clock.ts'
import { apiKeyWithSecretWire, NewApiKey } from '@backline/server/support/admin/api-keys/schema.ts'
import { listEnvironments } from '@backline/server/support/admin/workspace/queries.ts'
import { checkingArguments } from './arguments.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { workspaceFor } from './workspaces.ts'

const argumentOf = {
  name: '--name',
  scopes: '--scopes',
  expires_at: '--expires-at',
  allowed_cidrs: '--allowed-cidrs',
}

/** Prints only the secret, so that `KEY=$(…)` contains it. */
export const command = defineCommand({
  options: {
    workspace: { value: 'NAME', summary: 'The workspace of the key (default: the only one there is)' },
    environment: {
      value: 'live|test',
      summary: 'The environment of the key',
      required: true,
      choices: ['live', 'test'],
    },
    scopes: {
      value: 'LIST',
      summary: 'The scopes of the key: conversations:read,messages:write or *',
      required: true,
      list: true,
    },
    name: { value: 'NAME', summary: 'A name to tell the key from others', required: true },
    'expires-at': { value: 'TIME', summary: 'The expiry of the key: 2027-01-31T00:00:00Z' },
    'allowed-cidrs': {
      value: 'LIST',
      summary: 'The networks the key may be used from: 203.0.113.0/24,::1',
      list: true,
    },
  },
  async run({ options, environment }) {
    const body: NewApiKey = {
      name: options.name,
      scopes: options.scopes,
      ...(options['expires-at'] === undefined ? {} : { expires_at: options['expires-at'] }),
      ...(options['allowed-cidrs'] === undefined ? {} : { allowed_cidrs: options['allowed-cidrs'] }),
    }
    return checkingArguments('keys create', argumentOf, body, async () => {
      await bodyValidator(NewApiKey)(body, null)
      const key = await withDatabase(readConfig(environment), async (db) => {
        const workspace = await workspaceFor(db, options.workspace, 'keys create')
        const environments = await listEnvironments(db, workspace.id)
        const env = environments.find(({ kind }) => kind === options.environment)!
        return issueKey(db, systemClock, env, body)
      })
      return { json: JSON.parse(apiKeyWithSecretWire.json(key)), text: key.secret }
    })
  },
})
