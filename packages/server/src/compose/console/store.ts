import { LRUCache } from 'lru-cache'
import type { ConsoleStore } from '../../platform/http/console-sessions.ts'
import type { Environment } from '../../platform/kernel/environment.ts'
import { workspaceOfToken } from '../../platform/kernel/key-format.ts'
import type { Db } from '../../platform/postgres/database.ts'
import { listEnvironments } from '../../support/admin/workspace/queries.ts'
import { secretHash } from '../../support/team/console-sessions/actions.ts'
import { findConsoleSession, touchConsoleSessions } from '../../support/team/console-sessions/queries.ts'

const maxKnown = 10_000

/** Finds sessions of the console: the token names the workspace, the request the kind of environment. */
export function consoleStore(db: Db): ConsoleStore {
  /** The ids of environments, which never change, by workspace and kind. */
  const known = new LRUCache<string, string>({ max: maxKnown })

  async function tenantOf(workspaceId: string, kind: Environment['kind']): Promise<string | null> {
    const name = `${workspaceId} ${kind}`
    const cached = known.get(name)
    if (cached) return cached
    const environments = await listEnvironments(db, workspaceId)
    for (const each of environments) known.set(`${workspaceId} ${each.kind}`, each.tenantId)
    return known.get(name) ?? null
  }

  return {
    async find(kind, token) {
      const workspaceId = workspaceOfToken(token)
      const tenantId = workspaceId && (await tenantOf(workspaceId, kind))
      return tenantId ? findConsoleSession(db.home(tenantId), tenantId, secretHash(token)) : null
    },
    touch: (tenantId, uses, at) => touchConsoleSessions(db.home(tenantId), tenantId, uses, at),
  }
}
