import type { Environment } from '../../../platform/kernel/environment.ts'
import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import type { Role } from '../../vocabulary/roles.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type Invitation = RowOf<
  'invitations',
  { role: Role; highest_role: Role; environments: Environment['kind'][] }
>

export const invitationTable = defineTable<Invitation>({
  name: 'invitations',
  columns: tables.invitations,
  fixed: [
    'operator_id',
    'number',
    'token_hash',
    'email',
    'role',
    'highest_role',
    'environments',
    'expires_at',
  ],
})

export const invitationOrders = byCreation

export const ofOperator = (operatorId: string): Sql => sql`operator_id = ${operatorId}`

/** The latest invitation of an operator, the only one that can be pending. */
export const findLatest = (db: Db, tenantId: string, operatorId: string): Promise<Invitation | null> =>
  db.maybe(sql`select ${invitationTable.columns(tenantId)} from invitations
    where tenant_id = ${tenantId} and operator_id = ${operatorId} order by number desc limit 1`)

export const findByNumber = (
  db: Db,
  tenantId: string,
  { operator_id, number }: Invitation,
): Promise<{ id: string } | null> =>
  db.maybe(sql`select id from invitations
    where tenant_id = ${tenantId} and operator_id = ${operator_id} and number = ${number}`)

/** An invitation by the SHA-256 of its token, with its environment. */
export async function findByToken(
  db: Db,
  tenantId: string,
  tokenHash: Buffer,
): Promise<{ id: string; environment: Environment } | null> {
  const found = await db.maybe<{ id: string } & Environment>(sql`select i.id, e.id as "tenantId",
      e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from invitations i join environments e on e.id = i.tenant_id
    where i.tenant_id = ${tenantId} and i.token_hash = ${tokenHash}`)
  if (!found) return null
  const { id, ...environment } = found
  return { id, environment }
}

/** The operator with an e-mail address, as far as an invitation depends on it. */
export const findNamesake = (
  db: Db,
  tenantId: string,
  email: string,
): Promise<{ role: Role; archived: boolean } | null> =>
  db.maybe(sql`select role, archived from operators
    where tenant_id = ${tenantId} and email_key = ${nameKey(email)}`)
