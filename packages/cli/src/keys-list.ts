import { readConfig } from '@backline/server/compose/config.ts'
import { systemClock, toInstant } from '@backline/server/platform/kernel/clock.ts'
import type { Environment } from '@backline/server/platform/kernel/environment.ts'
import { typeId } from '@backline/server/platform/kernel/ids.ts'
import type { Database } from '@backline/server/platform/postgres/database.ts'
import { type ApiKey, apiKeyOrders, apiKeyTable } from '@backline/server/support/admin/api-keys/queries.ts'
import { apiKeyWire } from '@backline/server/support/admin/api-keys/schema.ts'
import { listEnvironments } from '@backline/server/support/admin/workspace/queries.ts'
import { defineCommand } from './command.ts'
import { withDatabase } from './database.ts'
import { printable, table } from './text.ts'
import { workspaceFor } from './workspaces.ts'

const pageSize = 100
const newestFirst = apiKeyOrders['-created_at']

/** Lists the keys of both environments, live first, newest first, including revoked ones. */
export const command = defineCommand({
  options: { workspace: { value: 'NAME', summary: 'The workspace (default: the only one there is)' } },
  async run({ options, environment }) {
    const found = await withDatabase(readConfig(environment), async (db) => {
      const workspace = await workspaceFor(db, options.workspace, 'keys list')
      const environments = await listEnvironments(db, workspace.id)
      environments.sort((a, b) => (a.kind < b.kind ? -1 : 1))
      const lists = environments.map(async (env) => (await allKeys(db, env)).map((key) => ({ env, key })))
      return (await Promise.all(lists)).flat()
    })
    const data = found.map(({ env, key }) => ({
      ...JSON.parse(apiKeyWire.json(key)),
      environment: env.kind,
    }))
    const rows = found.map(({ env, key }) => [
      typeId('key', key.id),
      env.kind,
      stateOf(key, env),
      key.secret_hint,
      key.last_used_at ?? 'never used',
      key.scopes.join(','),
      printable(key.name),
    ])
    const head = ['ID', 'ENVIRONMENT', 'STATE', 'KEY', 'LAST USED', 'SCOPES', 'NAME']
    return {
      json: { object: 'list', data },
      text: data.length === 0 ? 'The workspace has no API keys.' : table([head, ...rows]),
    }
  },
})

async function allKeys(db: Database, env: Environment): Promise<ApiKey[]> {
  const keys: ApiKey[] = []
  for (;;) {
    const last = keys.at(-1)
    const after = last ? [last.id] : null
    const page = await apiKeyTable.list(db, env.tenantId, [], newestFirst, { limit: pageSize, after })
    keys.push(...page)
    if (page.length < pageSize) return keys
  }
}

function stateOf(key: ApiKey, env: Environment): string {
  if (key.revoked_at) return 'revoked'
  const now = toInstant(systemClock() + env.clockOffsetMs)
  return key.expires_at && key.expires_at <= now ? 'expired' : 'active'
}
