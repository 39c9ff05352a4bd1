import { everyEnvironment } from '../../../platform/journal/every-environment.ts'
import type { Environment } from '../../../platform/kernel/environment.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'

/** A mailbox of any environment. */
export type FoundMailbox = { tenantId: string; mailboxId: string }

/** At most two: nobody needs more to know that an address is not of one mailbox. */
export const mailboxesAtAddress = (db: Db, address: string, hasToken: boolean): Promise<FoundMailbox[]> =>
  db.rows(sql`select m.tenant_id as "tenantId", m.id as "mailboxId"
    from journal_heads h join mailbox_addresses a on a.tenant_id = h.tenant_id
      join mailboxes m on m.tenant_id = a.tenant_id and m.id = a.mailbox_id
    where a.address = ${address} and not m.archived and (m.plus_addressing or not ${hasToken}) limit 2`)

export const mailboxesWithId = (db: Db, id: string): Promise<FoundMailbox[]> =>
  db.rows(sql`select m.tenant_id as "tenantId", m.id as "mailboxId"
    from journal_heads h join mailboxes m on m.tenant_id = h.tenant_id
    where m.id = ${id} and not m.archived limit 2`)

export const environmentsOf = (db: Db, tenantIds: string[]): Promise<Environment[]> =>
  db.rows(sql`select e.id as "tenantId", e.workspace_id as "workspaceId", e.kind, e.clock_offset_ms as "clockOffsetMs"
    from ${everyEnvironment} where h.tenant_id = any(${tenantIds}::uuid[])`)
