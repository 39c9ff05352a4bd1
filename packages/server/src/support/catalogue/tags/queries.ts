import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { comma, join, type Sql, sql } from '../../../platform/postgres/sql.ts'
import { byCreation, byName, defineTable, type Order } from '../../../platform/tables/table.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type Tag = RowOf<
  'tags',
  {
    /** The tag that this one was merged into; it then exists only as an alias. */
    merged_into_id: string | null
    usage_count: number
  },
  'name_key'
>

/**
 * A merged tag keeps its row: its name and the conversations that have it refer to the other tag. A merge therefore
 * moves no rows and loses no concurrent tagging.
 */
export const tagTable = defineTable<Tag>({
  name: 'tags',
  columns: tables.tags,
  visible: sql`tags.merged_into_id is null`,
  derived: { name_key: { type: 'text', value: (row) => nameKey(row.name) } },
  joined: {
    usage_count: (tenantId) => sql`(select count(distinct used.conversation_id) from conversation_tags used
      where used.tenant_id = ${tenantId} and used.tag_id in (select also.id from tags also
        where also.tenant_id = ${tenantId} and (also.id = tags.id or also.merged_into_id = tags.id)))`,
  },
})

export const tagOrders = {
  name: byName,
  ...byCreation,
} as const satisfies Record<string, Order<Tag>>

/** The tag with a name or alias; `row_id` is the row with the name. */
export const findTagByName = (
  db: Db,
  tenantId: string,
  name: string,
): Promise<{ id: string; row_id: string } | null> =>
  db.maybe(sql`select coalesce(merged_into_id, id) as id, id as row_id from tags
    where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`)

/**
 * The tags with these names, each with its name key; unknown names are omitted. `all_ids` contains the ids of the tag
 * and its aliases, because a conversation that was read earlier may have an alias.
 */
export const findTagsByName = (
  db: Db,
  tenantId: string,
  names: string[],
): Promise<{ key: string; id: string; name: string; archived: boolean; all_ids: string[] }[]> =>
  db.rows(sql`select named.name_key as key, shown.id, shown.name, shown.archived,
      array(select also.id from tags also where also.tenant_id = ${tenantId}
        and (also.id = shown.id or also.merged_into_id = shown.id)) as all_ids
    from tags named join tags shown on shown.tenant_id = ${tenantId} and shown.id = coalesce(named.merged_into_id, named.id)
    where named.tenant_id = ${tenantId} and named.name_key = any(${names.map(nameKey)}::text[])`)

/** A tag of an object; `stored_id` is the stored alias, if the tag was merged meanwhile. */
export type StoredTag = { id: string; name: string; stored_id?: string }

/**
 * The tags whose ids are in a column, as a `joined` expression; merged tags are replaced by their target. Tags are
 * looked up one by one: a plan for the expected ten per row would read all tags for each row.
 */
export const tagsIn =
  (ids: Sql) =>
  (tenantId: string): Sql =>
    sql`case when ${ids} = '{}' then '[]'::json else (
    select json_agg(json_build_object('id', coalesce(target.id, tag.id), 'name', coalesce(target.name, tag.name), 'stored_id', tag.id) order by used.place)
      from unnest(${ids}) with ordinality as used (id, place)
        cross join lateral (select * from tags tag where tag.tenant_id = ${tenantId} and tag.id = used.id limit 1) tag
        left join tags target on target.tenant_id = ${tenantId} and target.id = tag.merged_into_id) end`

/** Moves the aliases of a tag to another one. */
export const passOnAliases = (tenantId: string, fromId: string, toId: string): Sql =>
  sql`update tags set merged_into_id = ${toId} where tenant_id = ${tenantId} and merged_into_id = ${fromId}`

export const deleteAliases = (tenantId: string, id: string): Sql =>
  sql`delete from tags where tenant_id = ${tenantId} and merged_into_id = ${id}`

/** All ids that a tag of this name may be stored as; empty if no such tag exists. */
export async function idsOfTagNamed(db: Db, tenantId: string, name: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`select also.id from tags named join tags also
      on also.tenant_id = ${tenantId}
      and (also.id = coalesce(named.merged_into_id, named.id) or also.merged_into_id = coalesce(named.merged_into_id, named.id))
    where named.tenant_id = ${tenantId} and named.name_key = ${nameKey(name)}`)
  return rows.map(({ id }) => id)
}

/**
 * Ids of the conversations with one of these tags. The ids are values, so that PostgreSQL can plan for frequent ones.
 */
export const conversationsTagged = (tenantId: string, [only, ...others]: string[]): Sql =>
  sql`select used.conversation_id from conversation_tags used where used.tenant_id = ${tenantId} and ${
    others.length === 0 ? sql`used.tag_id = ${only}` : sql`used.tag_id = any(${[only, ...others]}::uuid[])`
  }`

/** The number of conversations with one of these tags. */
export async function countUses(db: Db, tenantId: string, ids: string[]): Promise<number> {
  const [row] = await db.slowRows<{
    count: number
  }>(sql`select count(distinct conversation_id) from conversation_tags
    where tenant_id = ${tenantId} and tag_id in (select id from tags
      where tags.tenant_id = ${tenantId} and (id = any(${ids}::uuid[]) or merged_into_id = any(${ids}::uuid[])))`)
  return row!.count
}

type Use = { tag_id: string; conversation_id: string }

const pairs = (tenantId: string, uses: Use[]): Sql =>
  join(
    uses.map(
      ({ tag_id, conversation_id }) => sql`(${tenantId}::uuid, ${tag_id}::uuid, ${conversation_id}::uuid)`,
    ),
    comma,
  )

export const insertUses = (tenantId: string, uses: Use[]): Sql =>
  sql`insert into conversation_tags (tenant_id, tag_id, conversation_id) values ${pairs(tenantId, uses)}
    on conflict (tenant_id, tag_id, conversation_id) do nothing`

export const deleteUses = (tenantId: string, uses: Use[]): Sql =>
  sql`delete from conversation_tags using (values ${pairs(tenantId, uses)}) as gone (tenant_id, tag_id, conversation_id)
    where conversation_tags.tenant_id = ${tenantId} and conversation_tags.conversation_id = gone.conversation_id
      and conversation_tags.tag_id = gone.tag_id`

/** Condition on a column of ids: it contains an id that a tag of this name may be stored as. */
export const holdsTagNamed = (ids: Sql, tenantId: string, name: string): Sql =>
  sql`${ids} && array(select also.id from tags named join tags also on also.tenant_id = ${tenantId}
      and (also.id = coalesce(named.merged_into_id, named.id) or also.merged_into_id = coalesce(named.merged_into_id, named.id))
    where named.tenant_id = ${tenantId} and named.name_key = ${nameKey(name)})`

/** Stores the tags of articles and FAQs, which protects the tags from deletion. */
export const insertKnowledgeUses = (tenantId: string, subjectId: string, tagIds: string[]): Sql =>
  sql`insert into knowledge_tags (tenant_id, tag_id, subject_id)
    select ${tenantId}::uuid, id, ${subjectId}::uuid from unnest(${tagIds}::uuid[]) as used (id)
    on conflict (tenant_id, tag_id, subject_id) do nothing`

export const deleteKnowledgeUses = (tenantId: string, subjectId: string, tagIds: string[]): Sql =>
  sql`delete from knowledge_tags
    where tenant_id = ${tenantId} and subject_id = ${subjectId} and tag_id = any(${tagIds}::uuid[])`

/** Tags by their ids, in `key`; a merged one is replaced by its target. */
export const findTags = (
  db: Db,
  tenantId: string,
  ids: string[],
): Promise<{ key: string; id: string; name: string }[]> =>
  db.rows(sql`select named.id as key, shown.id, shown.name
    from tags named join tags shown on shown.tenant_id = ${tenantId} and shown.id = coalesce(named.merged_into_id, named.id)
    where named.tenant_id = ${tenantId} and named.id = any(${ids}::uuid[])`)
