import { after, inOrder, type Position, upTo } from '../../../platform/journal/positions.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { StreamedEvent } from './facts.ts'
import { streamedTypes } from './facts.ts'

/** A conversation and the ids of the end users who may see it, as they are stored. */
export type Audience = { id: string; ids: (string | null)[] }

export const audiencesOf = (db: Db, tenantId: string, conversationIds: string[]): Promise<Audience[]> =>
  db.rows(sql`select c.id, array_append(array(select part.id from unnest(c.participant_ids) as part (id)
      where not exists (select 1 from conversation_participants claimed where claimed.tenant_id = ${tenantId}
        and claimed.end_user_id = part.id and claimed.conversation_id = c.id and not claimed.confirmed)), coalesce(c.end_user_id, (select e.id from end_users e
      where e.tenant_id = ${tenantId} and e.external_id = c.external_user_id))) as ids
    from conversations c where c.tenant_id = ${tenantId} and c.id = any(${conversationIds}::uuid[])`)

/** The person whose stream continues: all ids, and the only conversation that the session may see, if any. */
export type Whose = { ids: string[]; only: string | null }

const conversationsOf = (tenantId: string, { ids, only }: Whose): Sql =>
  only === null
    ? sql`select c.id from conversations c where c.tenant_id = ${tenantId} and c.end_user_id = any(${ids}::uuid[])
        union select part.conversation_id from conversation_participants part
          where part.tenant_id = ${tenantId} and part.end_user_id = any(${ids}::uuid[]) and part.confirmed`
    : sql`select ${only}::uuid as id`

/** The first events of the conversations of a person, in a part of the journal. */
export const historyOf = (
  db: Db,
  tenantId: string,
  whose: Whose,
  range: { from: Position; end: Position },
  limit: number,
): Promise<StreamedEvent[]> =>
  db.slowRows(sql`select epoch, position, ordinal, type, stream_id, resource_id, previous::text,
      case when resource_type = 'conversation' then object::text end as object
    from (${conversationsOf(tenantId, whose)}) own cross join lateral (
      select * from events where events.tenant_id = ${tenantId} and events.stream_id = own.id
        and events.type = any(${[...streamedTypes]}::text[])${after(range.from)}${upTo(range.end)}${inOrder}
      limit ${limit}) events${inOrder} limit ${limit}`)
