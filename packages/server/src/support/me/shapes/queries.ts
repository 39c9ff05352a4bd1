import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { type Message, messageTable } from '../../desk/messages/queries.ts'

/** The last public message of each conversation that has one. */
export const lastPublicMessages = (db: Db, tenantId: string, conversationIds: string[]): Promise<Message[]> =>
  db.rows(sql`select ${messageTable.columns(tenantId)} from unnest(${conversationIds}::uuid[]) as page (id)
    cross join lateral (select * from messages one where one.tenant_id = ${tenantId} and one.conversation_id = page.id
      and one.visibility = 'public' order by one.sequence desc limit 1) messages`)
