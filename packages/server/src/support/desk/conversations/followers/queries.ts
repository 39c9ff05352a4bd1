import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Page } from '../../../../platform/kernel/page.ts'
import { countUpTo } from '../../../../platform/postgres/count.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { rowSet } from '../../../../platform/postgres/row-set.ts'
import { none, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { ResourceRow } from '../../../../platform/unit-of-work/entity.ts'

/** How an operator came to follow: by a request, a mention, or a public message of theirs. */
export const followerSources = ['manual', 'mention', 'reply'] as const
export type FollowerSource = (typeof followerSources)[number]

/** An operator who follows a conversation, or was taken out and stays out: `place` is then null. */
export type StoredFollower = {
  conversation_id: string
  operator_id: string
  source: FollowerSource
  since: Instant
  place: number | null
  removed_at: Instant | null
}

/** A follower as a row with the id and version of its conversation, whose events it has. */
export type Follower = ResourceRow & Omit<StoredFollower, 'removed_at'>

const columns = sql`conversation_id, operator_id, source, since, place, removed_at`

/** Those who follow some conversations, and those who were taken out. */
export const followersOf = (
  db: Pick<Db, 'rows'>,
  tenantId: string,
  conversationIds: string[],
): Promise<StoredFollower[]> =>
  db.rows(sql`select ${columns} from followers
    where tenant_id = ${tenantId} and conversation_id = any(${conversationIds}::uuid[]) order by since, operator_id`)

/** A page of those who follow a conversation, the longest first. */
export const listFollowers = (
  db: Db,
  tenantId: string,
  conversationId: string,
  { limit, after }: Omit<Page, 'sort'>,
): Promise<StoredFollower[]> =>
  db.rows(sql`select ${columns} from followers
    where tenant_id = ${tenantId} and conversation_id = ${conversationId} and removed_at is null
      ${after ? sql`and (since, operator_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)` : none}
    order by since, operator_id limit ${limit}`)

const rows = rowSet<Omit<StoredFollower, 'removed_at'>>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  operator_id: ['uuid', ({ operator_id }) => operator_id],
  source: ['text', ({ source }) => source],
  since: ['timestamptz', ({ since }) => since],
  place: ['integer', ({ place }) => place],
})

/** Makes operators follow. Two for one place of a conversation, and one twice, violate a unique index. */
export const putFollowers = (tenantId: string, followers: Omit<StoredFollower, 'removed_at'>[]): Sql =>
  sql`insert into followers (tenant_id, conversation_id, operator_id, source, since, place)
    select ${tenantId}::uuid, conversation_id, operator_id, source, since, place from ${rows(followers)}`

/** Ends that operators are kept out; returns no row for one who is not. */
export const letIn = (
  tenantId: string,
  kept: Pick<StoredFollower, 'conversation_id' | 'operator_id'>[],
): Sql =>
  sql`delete from followers using unnest(${kept.map((each) => each.conversation_id)}::uuid[],
      ${kept.map((each) => each.operator_id)}::uuid[]) as v (conversation_id, operator_id)
    where followers.tenant_id = ${tenantId} and followers.conversation_id = v.conversation_id
      and followers.operator_id = v.operator_id and followers.removed_at is not null returning 1`

/**
 * Makes operators follow by what happened at `since`, unless they do. Who was taken out is let in by a later mention
 * alone.
 */
export const followAutomatically = (tenantId: string, followers: Omit<StoredFollower, 'removed_at'>[]): Sql =>
  sql`insert into followers (tenant_id, conversation_id, operator_id, source, since, place)
    select ${tenantId}::uuid, conversation_id, operator_id, source, since, place from ${rows(followers)}
    on conflict (tenant_id, conversation_id, operator_id) do update
      set source = excluded.source, since = excluded.since, place = excluded.place, removed_at = null
      where followers.removed_at < excluded.since and excluded.source = 'mention'`

type Removed = { conversation_id: string; operator_id: string; removed_at: Instant }

const removedRows = rowSet<Removed>({
  conversation_id: ['uuid', ({ conversation_id }) => conversation_id],
  operator_id: ['uuid', ({ operator_id }) => operator_id],
  removed_at: ['timestamptz', ({ removed_at }) => removed_at],
})

/** Takes out followers; returns no row for one who does not follow any more. Their rows stay: they stay out. */
export const removeFollowers = (tenantId: string, followers: Follower[]): Sql =>
  sql`update followers set place = null, removed_at = v.removed_at from ${removedRows(
    followers.map(({ updated_at, ...row }) => ({ ...row, removed_at: updated_at })),
  )}
    where followers.tenant_id = ${tenantId} and followers.conversation_id = v.conversation_id
      and followers.operator_id = v.operator_id and followers.removed_at is null returning 1`

/** Keeps out operators who do not follow; returns no row for one who does. */
export const keepOut = (tenantId: string, removed: Removed[]): Sql =>
  sql`insert into followers (tenant_id, conversation_id, operator_id, source, since, removed_at)
    select ${tenantId}::uuid, conversation_id, operator_id, 'manual', removed_at, removed_at from ${removedRows(removed)}
    on conflict (tenant_id, conversation_id, operator_id) do nothing returning 1`

/** Writes followers of a conversation as they are after a merge. */
export const setFollowers = (tenantId: string, followers: Omit<StoredFollower, 'removed_at'>[]): Sql =>
  sql`insert into followers (tenant_id, conversation_id, operator_id, source, since, place)
    select ${tenantId}::uuid, conversation_id, operator_id, source, since, place from ${rows(followers)}
    on conflict (tenant_id, conversation_id, operator_id) do update
      set source = excluded.source, since = excluded.since, place = excluded.place, removed_at = null`

/** Deletes those of a conversation, or some of them. */
export const deleteFollowers = (
  tenantId: string,
  conversationId: string,
  operatorIds: string[] | null,
): Sql =>
  sql`delete from followers where tenant_id = ${tenantId} and conversation_id = ${conversationId}
    ${operatorIds ? sql`and operator_id = any(${operatorIds}::uuid[])` : none}`

/** Ends what an operator follows. */
export const deleteFollowed = (tenantId: string, operatorId: string): Sql =>
  sql`delete from followers where tenant_id = ${tenantId} and operator_id = ${operatorId}`

/** The ids of those who follow some conversations, in the order in which they began. */
export const followerIdsOf = (
  db: Db,
  tenantId: string,
  conversationIds: string[],
): Promise<{ conversation_id: string; operator_ids: string[] }[]> =>
  db.rows(sql`select conversation_id, array_agg(operator_id order by since, operator_id) as operator_ids from followers
    where tenant_id = ${tenantId} and conversation_id = any(${conversationIds}::uuid[]) and removed_at is null
    group by conversation_id`)

/** Condition: a conversation has a follower whose id, a text, meets a condition. */
export const isFollowedBy = (condition: (id: Sql) => Sql, tenantId: string): Sql =>
  sql`exists (select 1 from followers following where following.tenant_id = ${tenantId}
    and following.conversation_id = conversations.id and following.removed_at is null
    and ${condition(sql`following.operator_id::text`)})`

/** The ids of the conversations that an operator follows. */
export const followedBy = (tenantId: string, operatorId: string): Sql =>
  sql`select followed.conversation_id as id from followers followed where followed.tenant_id = ${tenantId}
    and followed.operator_id = ${operatorId}::uuid and followed.removed_at is null`

export const countFollowers = (
  db: Db,
  tenantId: string,
  conversationId: string,
  atMost: number,
): Promise<number> =>
  countUpTo(
    db,
    sql`select 1 from followers where tenant_id = ${tenantId} and conversation_id = ${conversationId} and removed_at is null`,
    atMost,
  )
