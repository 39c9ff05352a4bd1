import { batched } from '../../../platform/postgres/batched.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import type { Reference } from '../../desk/messages/email/queries.ts'

/** Finds those that were sent first, then the first to arrive: one that repeats the id of another is not meant. */
export const findReferences = batched(async (db, tenantId, asked: string[][]): Promise<Reference[][]> => {
  const found = await db.rows<Reference>(sql`select reference, message_id, conversation_id, is_sent
      from email_references
      where tenant_id = ${tenantId} and reference = any(${[...new Set(asked.flat())]}::text[])
      order by is_sent desc, created_at, message_id`)
  const byReference = Map.groupBy(found, ({ reference }) => reference)
  return asked.map((references) => references.flatMap((each) => byReference.get(each) ?? []))
})

/** True if an earlier mail with one of these Message-IDs still waits to be processed. */
export const isAwaited = async (
  db: Db,
  tenantId: string,
  messageIds: string[],
  before: string,
): Promise<boolean> =>
  (await db.maybe(sql`select 1 as found from inbound_emails
    where tenant_id = ${tenantId} and header_message_id = any(${messageIds}::text[]) and status = 'received'
      and id < ${before} limit 1`)) !== null

/** The newest conversation that follows up a closed one, directly or after others, and is not closed. */
export const openFollowUp = async (
  db: Db,
  tenantId: string,
  conversationId: string,
): Promise<string | null> =>
  (
    await db.maybe<{ id: string }>(sql`with recursive following (id, status) as (
        select id, status from conversations where tenant_id = ${tenantId} and follow_up_of_id = ${conversationId}
        union
        select next.id, next.status from conversations next join following on next.follow_up_of_id = following.id
          where next.tenant_id = ${tenantId})
      select id from following where status <> 'closed' order by id desc limit 1`)
  )?.id ?? null

/** Counts the mails from an address that made a message since a time, which the id has. */
export const countMessagesFrom = batched(
  async (db, tenantId, asked: { address: string; sinceId: string; atMost: number }[]): Promise<number[]> => {
    const [addresses, ids] = [asked.map(({ address }) => address), asked.map(({ sinceId }) => sinceId)]
    const atMost = Math.max(...asked.map((each) => each.atMost))
    const counts = await db.rows<{ count: number }>(sql`select
        (select count(*) from (select 1 from inbound_emails made where made.tenant_id = ${tenantId}
          and made.from_address = asked.address and made.id >= asked.since_id
          and made.status in ('created', 'threaded') limit ${atMost}) counted) as count
      from unnest(${addresses}::text[], ${ids}::uuid[]) with ordinality as asked (address, since_id, place)
      order by asked.place`)
    return counts.map(({ count }, i) => Math.min(count, asked[i]!.atMost))
  },
)
