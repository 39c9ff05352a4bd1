import { type Instant, toInstant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { Moment, Situation } from '../../../sla/clocks/clocks.ts'
import type { Terms } from '../../../sla/clocks/terms.ts'
import type { Side, Status } from '../lifecycle.ts'
import { type Conversation, conversationTable } from '../queries.ts'

/** A state of a conversation to store as a moment. */
export type MomentToKeep = { conversation: Conversation; moment: Moment }

const moments = rowSet<MomentToKeep>({
  conversation_id: ['uuid', ({ conversation }) => conversation.id],
  at: ['timestamptz', ({ moment }) => toInstant(moment.at)],
  status: ['text', ({ moment }) => moment.status],
  paused: ['boolean', ({ moment }) => moment.paused],
  answered: ['boolean', ({ moment }) => moment.answered],
  unanswered_since: [
    'timestamptz',
    ({ moment: { unanswered_since: since } }) => (since === null ? null : toInstant(since)),
  ],
  priority: ['text', ({ conversation }) => conversation.priority],
  sla_config_id: ['uuid', ({ conversation, moment }) => moment.agreement && conversation.sla_config_id],
  sla_config_version: [
    'integer',
    ({ conversation, moment }) => moment.agreement && conversation.sla_config_version,
  ],
})

/** If two moments have the same time, the later one remains. */
export const insertMoments = (tenantId: string, kept: MomentToKeep[]): Sql =>
  sql`insert into conversation_moments
      (tenant_id, conversation_id, at, status, paused, answered, unanswered_since, priority, sla_config_id, sla_config_version)
    select ${tenantId}::uuid, conversation_id, at, status, paused, answered, unanswered_since, priority, sla_config_id, sla_config_version
      from ${moments(kept)}
    on conflict (tenant_id, conversation_id, at) do update set status = excluded.status, paused = excluded.paused,
      answered = excluded.answered, unanswered_since = excluded.unanswered_since, priority = excluded.priority,
      sla_config_id = excluded.sla_config_id, sla_config_version = excluded.sla_config_version`

export type KeptMoment = Pick<Situation, 'status' | 'paused' | 'answered'> & {
  at: Instant
  unanswered_since: Instant | null
  priority: string
  sla_config_id: string | null
  sla_config_version: number | null
}

/** The moments of a conversation. */
export const momentsOf = (db: Db, tenantId: string, conversationId: string): Promise<KeptMoment[]> =>
  db.slowRows(sql`select at, status, paused, answered, unanswered_since, priority, sla_config_id, sla_config_version
    from conversation_moments where tenant_id = ${tenantId} and conversation_id = ${conversationId} order by at`)

/** All terms that a conversation has had. */
export const termsOfMoments = (
  db: Db,
  tenantId: string,
  conversationId: string,
): Promise<{ sla_config_id: string; version: number; terms: Terms }[]> =>
  db.slowRows(sql`select used.sla_config_id, used.version, v.terms
    from (select distinct sla_config_id, sla_config_version as version from conversation_moments
      where tenant_id = ${tenantId} and conversation_id = ${conversationId} and sla_config_id is not null) used
    cross join lateral (select terms from sla_config_versions
      where tenant_id = ${tenantId} and sla_config_id = used.sla_config_id and version <= used.version
      order by version desc limit 1) v`)

/** Conversations that follow a config and have an older version. */
export const conversationsBehind = (
  db: Db,
  tenantId: string,
  configId: string,
  version: number,
  limit: number,
): Promise<Conversation[]> =>
  db.slowRows(sql`select ${conversationTable.columns(tenantId)} from conversations
    where conversations.tenant_id = ${tenantId} and conversations.sla_config_id = ${configId}
      and conversations.sla_follows < ${version}
    order by conversations.sla_follows, conversations.id limit ${limit}`)

/** An event of a conversation or one of its messages, reduced to what clocks depend on. */
export type Happening = {
  at: Instant
  resource_type: 'conversation' | 'message'
  type: string
  status: Status | null
  merged_into_id: string | null
  hold_reason_id: string | null
  first_response_at: Instant | null
  author_side: Side | null
  visibility: string | null
}

/** The events of a conversation from the journal, in order. They may be many, so each object is read once. */
export const happeningsOf = (db: Db, tenantId: string, conversationId: string): Promise<Happening[]> =>
  db.slowRows(sql`select events.created_at as at, resource_type, type, shown.status, shown.merged_into_id,
      shown.hold->>'hold_reason_id' as hold_reason_id, shown.first_response_at, shown.author_side, shown.visibility
    from events cross join lateral json_to_record(object) as shown
      (status text, merged_into_id text, hold json, first_response_at text, author_side text, visibility text)
    where tenant_id = ${tenantId} and stream_id = ${conversationId}
      and resource_type in ('conversation', 'message') and type <> 'message.updated' and type <> 'message.redacted'
    order by epoch, position, ordinal`)
