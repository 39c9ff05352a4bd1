import { hash } from 'node:crypto'
import { issueKey } from '@backline/server/compose/bootstrap.ts'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import { sql } from '@backline/server/platform/postgres/sql.ts'
import type { NewApiKey } from '@backline/server/support/admin/api-keys/schema.ts'
import { allScopes } from '@backline/server/support/vocabulary/scopes.ts'
import type { Service, World } from '../harness.ts'

/** Creates keys of a world's test environment with any fields. The server creates them without a route. */
export const keyWith = async (
  api: Service,
  env: Environment,
  input: Partial<NewApiKey>,
): Promise<{ id: string; key: string }> => {
  const { id, secret } = await issueKey(api.db, api.now, env, { name: 'key', scopes: ['*'], ...input })
  return { id: typeId('key', id), key: secret }
}

const oneEach = allScopes.filter((scope) => !scope.startsWith('*'))

/** Keys with every scope except one, each created once. */
export function keysWithout(api: Service, world: () => World): (scope: string) => Promise<string> {
  const made = new Map<string, Promise<string>>()
  return (scope) => {
    let key = made.get(scope)
    if (!key) {
      const scopes = oneEach.filter((each) => each !== scope)
      key = keyWith(api, world().environments.test, { scopes }).then((issued) => issued.key)
      made.set(scope, key)
    }
    return key
  }
}

/** The id of the API key with this secret, as events name it. */
export async function idOfKey(api: Service, secret: string): Promise<string> {
  const [row] = await api.db.rows<{ api_key_id: string }>(
    sql`select api_key_id from api_key_secrets where secret_hash = ${hash('sha256', secret, 'buffer')}`,
  )
  return typeId('key', row!.api_key_id)
}
