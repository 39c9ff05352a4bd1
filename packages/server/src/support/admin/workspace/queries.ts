import type { Instant } from '../../../platform/kernel/clock.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { everywhere } from '../../../platform/unit-of-work/plan.ts'
import type { ClaimOrder } from '../../vocabulary/conversations.ts'

export type Workspace = {
  id: string
  name: string
  auto_close_after_seconds: number
  event_retention_days: number
  default_language: string | null
  end_users_may_resolve: boolean
  /** Extensions without a dot, in lower case; null for those that are denied by default. */
  file_types_denied: string[] | null
  claim_order: ClaimOrder
  reply_assigns: boolean
  created_at: Instant
  updated_at: Instant
  version: number
}

/** The workspace in the view of one environment, selected by `tenantId`. */
export const findWorkspace = (db: Db, tenantId: string): Promise<Workspace | null> =>
  db.maybe(sql`select w.id, w.name, e.auto_close_after_seconds, e.event_retention_days, e.default_language,
      e.end_users_may_resolve, e.file_types_denied, e.claim_order, e.reply_assigns, e.created_at, e.updated_at, e.version
    from environments e join workspaces w on w.id = e.workspace_id where e.id = ${tenantId}`)

const not = (what: string) => () => {
  throw new Error(`A workspace cannot be ${what} by a change`)
}

/** A workspace is two tables. Its settings are those of the environment of the change. */
export const workspaceTable: Entity<Workspace>['table'] = {
  find: findWorkspace,
  findMany: async (db, tenantId) => [await findWorkspace(db, tenantId)].filter((found) => found !== null),
  insert: not('created'),
  update: everywhere(
    (
      tenantId,
      [row],
    ) => sql`update environments set auto_close_after_seconds = ${row!.auto_close_after_seconds},
      event_retention_days = ${row!.event_retention_days}, default_language = ${row!.default_language},
      end_users_may_resolve = ${row!.end_users_may_resolve}, file_types_denied = ${row!.file_types_denied},
      claim_order = ${row!.claim_order}, reply_assigns = ${row!.reply_assigns}, updated_at = ${row!.updated_at}, version = ${row!.version}
    where id = ${tenantId} and version = ${row!.version - 1} returning 1`,
  ),
  unchanged: (tenantId, [row]) =>
    sql`select 1 from environments where id = ${tenantId} and version = ${row!.version} for share`,
  remove: not('deleted'),
}

export const renameWorkspace = (row: Workspace): Sql =>
  sql`update workspaces set name = ${row.name} where id = ${row.id}`

/** The other environment shows the name as well. */
export const raiseSiblingVersion = (tenantId: string, row: Workspace): Sql =>
  sql`update environments set version = version + 1 where workspace_id = ${row.id} and id <> ${tenantId}`

export const findWorkspaceByName = (db: Db, name: string): Promise<{ id: string; name: string } | null> =>
  db.maybe(sql`select id, name from workspaces where lower(name) = lower(${name})`)

export const listWorkspaces = (db: Db): Promise<{ id: string; name: string; created_at: Instant }[]> =>
  db.rows(sql`select id, name, created_at from workspaces order by id`)

export const listEnvironments = (db: Db, workspaceId: string): Promise<Environment[]> =>
  db.rows(sql`select id as "tenantId", workspace_id as "workspaceId", kind, clock_offset_ms as "clockOffsetMs"
    from environments where workspace_id = ${workspaceId}`)

export const allEnvironments = (db: Db): Promise<(Environment & { eventRetentionDays: number })[]> =>
  db.rows(sql`select id as "tenantId", workspace_id as "workspaceId", kind, clock_offset_ms as "clockOffsetMs",
      event_retention_days as "eventRetentionDays" from environments order by id`)

/** Creates a workspace with both environments and the heads of their journals in one transaction. */
export async function insertWorkspace(
  db: Db,
  workspace: Workspace,
  environments: { id: string; kind: 'live' | 'test' }[],
): Promise<void> {
  const { name, created_at: at } = workspace
  const [live, test] = environments.map(
    ({ id, kind }) => sql`(${id}, ${workspace.id}, ${kind}, ${workspace.auto_close_after_seconds},
      ${workspace.event_retention_days}, ${workspace.default_language}, ${workspace.end_users_may_resolve}, ${at}, ${at}, 1)`,
  )
  await db.write(
    sql`insert into workspaces (id, name, created_at) values (${workspace.id}, ${name}, ${at})`,
    sql`insert into environments (id, workspace_id, kind, auto_close_after_seconds, event_retention_days, default_language,
      end_users_may_resolve, created_at, updated_at, version) values ${live}, ${test}`,
    ...environments.map(({ id }) => sql`insert into journal_heads (tenant_id, position) values (${id}, 0)`),
  )
}
