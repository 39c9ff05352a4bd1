import { type Leaf, someValues } from '../../../../platform/lists/field.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import { emailKey } from '../queries.ts'

/** Condition on `exists`: some address of an end user. */
export const someAddress = (
  tenantId: string,
  kind: 'email' | 'phone',
  endUserId: Sql,
  condition: (value: Sql) => Sql,
): Sql => sql`exists (select 1 from end_user_addresses known where known.tenant_id = ${tenantId}
    and known.kind = ${kind} and known.end_user_id = ${endUserId} and ${condition(sql`known.address`)})`

/** The end users with one of the addresses of a leaf (`id`); undefined if no index serves it. */
export function withAddresses(tenantId: string, kind: 'email' | 'phone', leaf: Leaf): Sql | undefined {
  const keys = someValues(leaf)?.map((value) => (kind === 'email' ? emailKey(String(value)) : String(value)))
  return (
    keys &&
    sql`select known.end_user_id as id from end_user_addresses known where known.tenant_id = ${tenantId}
      and known.kind = ${kind} and known.address = any(${keys}::text[])`
  )
}
