import { issueKey } from '../bootstrap.ts'
import { readConfig } from '../config.ts'
import { bodyValidator } from '../http/validation.ts'
import { systemClock } from '../lib/clock.ts'
import { apiKeyWithSecretWire, NewApiKey } from '../resources/api-keys/schema.ts'
import { listEnvironments } from '../resources/workspace/queries.ts'
import type { Output } from './command.ts'
import { withDatabase } from './database.ts'
import { checkingArguments } from './errors.ts'
import { workspaceNamed } from './workspaces.ts'

type Options = {
  workspace: string
  environment: 'live' | 'test'
  name: string
  scopes: string[]
  'expires-at': string | undefined
  'allowed-cidrs': string[] | undefined
}

const argumentOf = {
  name: '--name',
  scopes: '--scopes',
  expires_at: '--expires-at',
  allowed_cidrs: '--allowed-cidrs',
}

/** The text is the secret alone, so that `KEY=$(…)` has it. */
export async function createKey({ options }: { options: Options }): Promise<Output> {
  const body: NewApiKey = {
    name: options.name,
    scopes: options.scopes,
    ...(options['expires-at'] === undefined ? {} : { expires_at: options['expires-at'] }),
    ...(options['allowed-cidrs'] === undefined ? {} : { allowed_cidrs: options['allowed-cidrs'] }),
  }
  return checkingArguments('keys create', argumentOf, body, async () => {
    bodyValidator(NewApiKey)(body, [])
    const key = await withDatabase(readConfig(), async (db) => {
      const workspace = await workspaceNamed(db, options.workspace)
      const environments = await listEnvironments(db, workspace.id)
      const env = environments.find(({ kind }) => kind === options.environment)!
      return issueKey(db, systemClock, env, body)
    })
    return { json: JSON.parse(apiKeyWithSecretWire.json(key)), text: key.secret }
  })
}
