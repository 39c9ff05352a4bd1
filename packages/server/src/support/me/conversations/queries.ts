import type { Page } from '../../../platform/kernel/page.ts'
import { countUpTo } from '../../../platform/postgres/count.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { limitTo, none, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { type Conversation, conversationTable } from '../../desk/conversations/queries.ts'

export const mySorts = ['-created_at', 'created_at'] as const
type Sort = (typeof mySorts)[number]

/** The ids of a person, and the only conversation that the session may see, if it is bound to one. */
export type Whose = { ids: string[]; only: string | null }

/**
 * The ids of conversations of a person and of those in which the person takes part.
 * @param part what limits both, for the column with the id of the conversation
 */
const idsOf = (tenantId: string, { ids, only }: Whose, part: (id: Sql) => Sql): Sql => {
  const bound = (id: Sql) => (only === null ? none : sql` and ${id} = ${only}`)
  return sql`select own.id from unnest(${ids}::uuid[]) as person (id) cross join lateral (
      select one.id from conversations one where one.tenant_id = ${tenantId} and one.end_user_id = person.id${bound(sql`one.id`)}
        ${part(sql`one.id`)}) own
    union select shared.id from unnest(${ids}::uuid[]) as person (id) cross join lateral (
      select part.conversation_id as id from conversation_participants part where part.tenant_id = ${tenantId}
        and part.end_user_id = person.id and part.confirmed${bound(sql`part.conversation_id`)} ${part(sql`part.conversation_id`)}) shared`
}

/** A page of the conversations of a person. */
export async function listMine(
  db: Db,
  tenantId: string,
  whose: Whose,
  { sort, limit, after }: Page<Sort>,
): Promise<Conversation[]> {
  const isDown = sort === '-created_at'
  const first = (id: Sql) => {
    const rest = after === null ? none : sql` and ${id} ${isDown ? sql`<` : sql`>`} ${after[0]}`
    return sql`${rest} order by ${id} ${isDown ? sql`desc` : none} ${limitTo(limit)}`
  }
  const found = await db.rows<{ id: string }>(sql`select id from (${idsOf(tenantId, whose, first)}) mine
    order by id ${isDown ? sql`desc` : none} ${limitTo(limit)}`)
  const ids = found.slice(0, limit).map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = new Map((await conversationTable.findMany(db, tenantId, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => rows.get(id) ?? [])
}

export const countMine = (db: Db, tenantId: string, whose: Whose, atMost: number): Promise<number> =>
  countUpTo(
    db,
    idsOf(tenantId, whose, () => none),
    atMost,
  )
