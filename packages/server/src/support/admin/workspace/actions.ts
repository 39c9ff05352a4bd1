import { type Clock, toInstant } from '../../../platform/kernel/clock.ts'
import { ApiError } from '../../../platform/kernel/errors.ts'
import { newUuid, typeId } from '../../../platform/kernel/ids.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { sqlState, sqlStates } from '../../../platform/postgres/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { workspaces } from './entity.ts'
import {
  findWorkspaceByName,
  insertWorkspace,
  raiseSiblingVersion,
  renameWorkspace,
  type Workspace,
} from './queries.ts'
import type { WorkspacePatch } from './schema.ts'

const defaults = {
  auto_close_after_seconds: 7 * 86_400,
  event_retention_days: 30,
  default_language: null,
  end_users_may_resolve: false,
  file_types_denied: null,
  claim_order: 'waiting' as const,
  reply_assigns: false,
}

/** The name belongs to the workspace; every other setting to the environment of the key. */
export async function updateWorkspace(change: Change, patch: WorkspacePatch): Promise<Workspace> {
  const workspace = await change.rows.load(workspaces, change.ctx.env.workspaceId)
  const next = change.rows.update(workspaces, workspace, {
    ...patch,
    ...(patch.file_types_denied ? { file_types_denied: extensionsOf(patch.file_types_denied) } : {}),
  })
  if (next.name !== workspace.name) {
    change.effects.writeEverywhere(renameWorkspace(next))
    change.effects.writeEverywhere(raiseSiblingVersion(change.tenantId, next))
    change.onDuplicate(async () => {
      const owner = await findWorkspaceByName(change.db, next.name)
      if (owner && owner.id !== next.id) throw new ApiError('already_exists', { field: 'name' })
    })
  }
  return next
}

const extensionsOf = (given: string[]): string[] => [...new Set(given.map((each) => each.toLowerCase()))]

/** The language of objects without their own. */
export async function defaultLocale(change: Change): Promise<string> {
  const workspace = await change.rows.find(workspaces, change.ctx.env.workspaceId)
  return workspace?.default_language ?? 'en'
}

/** @throws ApiError `already_exists` */
export async function createWorkspace(db: Db, clock: Clock, name: string): Promise<Workspace> {
  const now = clock()
  const workspace = {
    id: newUuid(now),
    name,
    ...defaults,
    created_at: toInstant(now),
    updated_at: toInstant(now),
    version: 1,
  }
  try {
    await insertWorkspace(db, workspace, [
      { id: newUuid(now), kind: 'live' },
      { id: newUuid(now), kind: 'test' },
    ])
  } catch (error) {
    const owner = sqlState(error) === sqlStates.uniqueViolation && (await findWorkspaceByName(db, name))
    if (owner)
      throw new ApiError('already_exists', { id: typeId('ws', owner.id), field: 'name' }, { cause: error })
    throw error
  }
  return workspace
}
