import { batched } from '../../../platform/postgres/batched.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, defineTable } from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'
import type { SmtpSettings } from './smtp.ts'

/** Addresses are in their canonical form (addresses.ts). */
export type Mailbox = RowOf<
  'mailboxes',
  {
    outbound: 'client' | 'smtp'
    smtp: SmtpSettings | null
    /** Encrypted with the id of the mailbox as its place. */
    smtp_password_sealed: Buffer | null
    status: 'enabled' | 'paused'
    auto_reply_to: 'authenticated' | 'anyone' | null
    quote: 'none' | 'last'
    metadata: Record<string, string>
  }
>

export const mailboxTable = defineTable<Mailbox>({
  name: 'mailboxes',
  columns: tables.mailboxes,
  fixed: ['address'],
})

export const mailboxOrders = byCreation

/** Another mailbox that one of the addresses leads to. */
export const findOwnerOfAddresses = (
  db: Db,
  tenantId: string,
  { id }: Pick<Mailbox, 'id'>,
  addresses: string[],
): Promise<{ id: string } | null> =>
  db.maybe(sql`select mailbox_id as id from mailbox_addresses
    where tenant_id = ${tenantId} and address = any(${addresses}::text[]) and mailbox_id <> ${id} limit 1`)

type Address = { address: string; mailbox_id: string }

const addressRows = rowSet<Address>({
  address: ['text', ({ address }) => address],
  mailbox_id: ['uuid', ({ mailbox_id }) => mailbox_id],
})

/** In one order, in which mailboxes that take the same addresses at the same time do not deadlock. */
export const insertAddresses = (tenantId: string, addresses: Address[]): Sql =>
  sql`insert into mailbox_addresses (tenant_id, address, mailbox_id)
    select ${tenantId}::uuid, address, mailbox_id from ${addressRows(addresses)} order by address collate "C"`

export const deleteAddresses = (tenantId: string, addresses: Address[]): Sql =>
  sql`delete from mailbox_addresses using ${addressRows(addresses)}
    where mailbox_addresses.tenant_id = ${tenantId} and mailbox_addresses.address = v.address
    and mailbox_addresses.mailbox_id = v.mailbox_id`

/** The mailbox to which an address leads, of one environment. */
export const mailboxesOfAddresses = batched(async (db, tenantId, asked: string[][]) => {
  const found = await db.rows<{ address: string; mailbox_id: string }>(sql`select address, mailbox_id
    from mailbox_addresses
    where tenant_id = ${tenantId} and address = any(${[...new Set(asked.flat())]}::text[])`)
  const byAddress = new Map(found.map((each) => [each.address, each]))
  return asked.map((addresses) => addresses.flatMap((address) => byAddress.get(address) ?? []))
})
