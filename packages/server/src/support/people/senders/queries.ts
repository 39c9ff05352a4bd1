import { batched } from '../../../platform/postgres/batched.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'

/** The people whom an address names. */
export type Holders = {
  address: string
  /** The end user who holds it as verified. */
  verified_id: string | null
  /** The end user whom mail from this address made. */
  sender_id: string | null
  /** The operator with this address. */
  operator_id: string | null
}

/** @param addresses in their canonical form */
export const findHolders = batched(async (db, tenantId, asked: string[][]): Promise<Holders[][]> => {
  const holders = await db.rows<Holders>(sql`select asked.address,
      (select h.end_user_id from end_user_addresses h where h.tenant_id = ${tenantId} and h.kind = 'email'
        and h.address = asked.address and h.is_verified limit 1) as verified_id,
      (select s.end_user_id from email_senders s where s.tenant_id = ${tenantId} and s.address = asked.address) as sender_id,
      (select o.id from operators o where o.tenant_id = ${tenantId} and o.email_key = asked.address and not o.archived
        limit 1) as operator_id
    from unnest(${[...new Set(asked.flat())]}::text[]) as asked (address)`)
  const byAddress = new Map(holders.map((each) => [each.address, each]))
  return asked.map((addresses) => addresses.map((address) => byAddress.get(address)!))
})

type SenderRow = { address: string; end_user_id: string }

const senderRows = rowSet<SenderRow>({
  address: ['text', ({ address }) => address],
  end_user_id: ['uuid', ({ end_user_id }) => end_user_id],
})

/** Two changes that make the end user of an address violate the primary key: the second runs again. */
export const insertSenders = (tenantId: string, senders: SenderRow[]): Sql =>
  sql`insert into email_senders (tenant_id, address, end_user_id)
    select ${tenantId}::uuid, address, end_user_id from ${senderRows(senders)}`

type Replaced = SenderRow & { former_id: string }

const replacedRows = rowSet<Replaced>({
  address: ['text', ({ address }) => address],
  end_user_id: ['uuid', ({ end_user_id }) => end_user_id],
  former_id: ['uuid', ({ former_id }) => former_id],
})

/** Returns one row for each that was unchanged. */
export const replaceSenders = (tenantId: string, senders: Replaced[]): Sql =>
  sql`update email_senders set end_user_id = v.end_user_id from ${replacedRows(senders)}
    where email_senders.tenant_id = ${tenantId} and email_senders.address = v.address
      and email_senders.end_user_id = v.former_id returning 1`
