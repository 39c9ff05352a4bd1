import type { Clock } from '../platform/kernel/clock.ts'
import type { Environment } from '../platform/kernel/environment.ts'
import { ApiError } from '../platform/kernel/errors.ts'
import type { Db } from '../platform/postgres/database.ts'
import { installationSecret } from '../platform/postgres/secrets.ts'
import { transact } from '../platform/unit-of-work/transact.ts'
import { createApiKey } from '../support/admin/api-keys/actions.ts'
import { apiKeyTable } from '../support/admin/api-keys/queries.ts'
import type { ApiKeyWithSecret, NewApiKey } from '../support/admin/api-keys/schema.ts'
import { createWorkspace } from '../support/admin/workspace/actions.ts'
import { findWorkspaceByName, listEnvironments, listWorkspaces } from '../support/admin/workspace/queries.ts'
import { commandContext } from './contexts.ts'

/** Creates a key on behalf of the system. Only the result contains its secret. */
export async function issueKey(
  db: Db,
  clock: Clock,
  env: Environment,
  input: NewApiKey,
): Promise<ApiKeyWithSecret> {
  const outcome = await transact(commandContext(db, clock, env), (change) => createApiKey(change, input))
  if (outcome.replayed) throw new Error('A change without a request cannot be a replay')
  return outcome.result
}

export type FirstKeys = { live: string; test: string }

/** True if `seed` would create keys. An empty database gets the workspace `default`. */
export const lacksFirstKeys = async (db: Db, clock: Clock): Promise<boolean> =>
  (await environmentsWithoutKeys(db, clock)) !== null

/**
 * Creates the workspace `default` with a live and a test key of every scope in an empty database. Null if that has
 * been done. The next start completes an interrupted one.
 */
export async function seed(db: Db, clock: Clock): Promise<FirstKeys | null> {
  const environments = await environmentsWithoutKeys(db, clock)
  return environments && issueFirstKeys(db, clock, environments)
}

/** Creates a live and a test key of every scope. */
export async function issueFirstKeys(db: Db, clock: Clock, environments: Environment[]): Promise<FirstKeys> {
  const keys = { live: '', test: '' }
  for (const env of environments) {
    keys[env.kind] = (await issueKey(db, clock, env, { name: `First ${env.kind} key`, scopes: ['*'] })).secret
  }
  return keys
}

async function environmentsWithoutKeys(db: Db, clock: Clock): Promise<Environment[] | null> {
  const workspaces = await listWorkspaces(db)
  if (workspaces.length === 0) await createFirstWorkspace(db, clock)
  const first = await findWorkspaceByName(db, firstWorkspace)
  if (!first || workspaces.length > 1) return null
  const environments = await listEnvironments(db, first.id)
  const counts = await Promise.all(environments.map((env) => apiKeyTable.count(db, env.tenantId, [], 1)))
  return counts.includes(0) ? environments : null
}

const firstWorkspace = 'default'

async function createFirstWorkspace(db: Db, clock: Clock): Promise<void> {
  try {
    await createWorkspace(db, clock, firstWorkspace)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error // another process was faster
  }
}

/** The secret that encrypts and authenticates cursors. */
export const cursorSecret = (db: Db): Promise<Buffer> => installationSecret(db, 'cursor')
