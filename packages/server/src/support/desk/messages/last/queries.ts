import type { Db } from '../../../../platform/postgres/database.ts'
import { sql } from '../../../../platform/postgres/sql.ts'
import type { Message } from '../queries.ts'
import { maxReadLength } from './preview.ts'
import type { LastMessage } from './schema.ts'

type Row = Omit<LastMessage, 'text'> & Pick<Message, 'body' | 'body_format' | 'conversation_id'>

/** The newest public message of each conversation, with the name of its author after merges. */
export const lastMessagesIn = (db: Db, tenantId: string, conversationIds: string[]): Promise<Row[]> =>
  db.rows(sql`select last.conversation_id, last.id as message_id, last.sequence, last.author_side, last.operator_id,
      last.author_end_user_id, last.body_format, left(last.body, ${maxReadLength}) as body, last.created_at,
      coalesce(json_array_length(last.attachments), 0) as attachment_count,
      case when last.operator_id is not null then operator.name when target.id is not null then target.name
        else author.name end as author_name
    from unnest(${conversationIds}::uuid[]) wanted (id)
      cross join lateral (select * from messages where messages.tenant_id = ${tenantId}
        and messages.conversation_id = wanted.id and messages.visibility = 'public'
        order by messages.sequence desc limit 1) last
      left join operators operator on operator.tenant_id = ${tenantId} and operator.id = last.operator_id
      left join end_users author on author.tenant_id = ${tenantId} and author.id = last.author_end_user_id
      left join end_users target on target.tenant_id = ${tenantId} and target.id = author.merged_into_id`)
