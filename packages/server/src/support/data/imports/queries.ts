import { nameKey } from '../../../platform/kernel/names.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import { rowSet } from '../../../platform/postgres/row-set.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import type { Conversation } from '../../desk/conversations/queries.ts'
import { type EndUser, endUserTable } from '../../people/end-users/queries.ts'
import type { LineType } from './params.ts'

/** The object that has an external id in a source. */
export type Mapping = { type: LineType; external_id: string; source: string; object_id: string }

const rows = rowSet<Mapping>({
  type: ['text', ({ type }) => type],
  external_id: ['text', ({ external_id }) => external_id],
  source: ['text', ({ source }) => source],
  object_id: ['uuid', ({ object_id }) => object_id],
})

/** Fails with a unique violation if another import was faster. Sorted, so that two imports do not deadlock. */
export const insertMappings = (tenantId: string, mappings: Mapping[]): Sql =>
  sql`insert into import_mappings (tenant_id, type, external_id, source, object_id)
    select ${tenantId}::uuid, type, external_id, source, object_id from ${rows(mappings.toSorted(inOrder))}`

const inOrder = (one: Mapping, other: Mapping): number =>
  one.type !== other.type ? (one.type < other.type ? -1 : 1) : one.external_id < other.external_id ? -1 : 1

/** Replaces the objects of mappings, which were deleted. */
export const replaceMappings = (tenantId: string, mappings: Mapping[]): Sql =>
  sql`update import_mappings set object_id = v.object_id from ${rows(mappings)}
    where import_mappings.tenant_id = ${tenantId} and import_mappings.type = v.type
      and import_mappings.external_id = v.external_id and import_mappings.source = v.source`

/** Forgets the external ids of erased end users. */
export const deleteMappingsOfPeople = (tenantId: string, endUserIds: string[]): Sql =>
  sql`delete from import_mappings where tenant_id = ${tenantId} and type = 'end_user'
    and object_id = any(${endUserIds}::uuid[])`

/** The tables of objects that show an external id, each with the id by which it is found. */
const natives: Partial<Record<LineType, (tenantId: string, ids: string[]) => Sql>> = {
  operator: (tenantId, ids) =>
    sql`select external_id, id from operators where tenant_id = ${tenantId} and external_id = any(${ids}::text[])`,
  company: (tenantId, ids) =>
    sql`select external_id, id from companies where tenant_id = ${tenantId} and external_id = any(${ids}::text[])`,
  end_user: (tenantId, ids) =>
    sql`select external_id, id from end_users where tenant_id = ${tenantId} and external_id = any(${ids}::text[])`,
  conversation: (tenantId, ids) =>
    sql`select external_id, id from conversations where tenant_id = ${tenantId} and external_id = any(${ids}::text[])`,
  message: (tenantId, ids) =>
    sql`select external_id, id from messages where tenant_id = ${tenantId} and external_id = any(${ids}::text[])
      union select external_id, message_id from message_external_ids
      where tenant_id = ${tenantId} and external_id = any(${ids}::text[])`,
}

/**
 * An object by its external id: that of the source, or one of the API that no import has made.
 * - `id`: null if there is none
 * - `isMapped`: whether the source knows it already
 * - `isTaken`: whether an object of another source shows the external id
 */
export type Known = { id: string | null; isMapped: boolean; isTaken: boolean }

export const unknown: Known = { id: null, isMapped: false, isTaken: false }

/** The objects with these external ids; those that are missing are unknown. */
export async function knownObjects(
  db: Db,
  tenantId: string,
  { source, type }: Pick<Mapping, 'source' | 'type'>,
  externalIds: string[],
): Promise<Map<string, Known>> {
  if (externalIds.length === 0) return new Map()
  const native = natives[type]?.(tenantId, externalIds)
  const [mapped, found] = await Promise.all([
    db.rows<Pick<Mapping, 'external_id' | 'source' | 'object_id'>>(
      sql`select external_id, source, object_id from import_mappings
        where tenant_id = ${tenantId} and type = ${type} and external_id = any(${externalIds}::text[])`,
    ),
    native ? db.rows<{ external_id: string; id: string }>(native) : [],
  ])
  const known = new Map<string, Known>()
  const ofOthers = new Set<string>()
  for (const { external_id, object_id, ...row } of mapped) {
    if (row.source === source) known.set(external_id, { id: object_id, isMapped: true, isTaken: false })
    else ofOthers.add(object_id)
  }
  for (const { external_id, id } of found) {
    if (known.has(external_id)) continue
    const isTaken = ofOthers.has(id)
    known.set(external_id, { id: isTaken ? null : id, isMapped: false, isTaken })
  }
  return known
}

/** End users by ids that they have or had; the target of a merge stands for the merged one. */
export async function endUsersAsShown(
  db: Db,
  tenantId: string,
  ids: string[],
): Promise<Map<string, EndUser>> {
  if (ids.length === 0) return new Map()
  const rows = await db.rows<
    EndUser & { asked: string }
  >(sql`select named.id as asked, ${endUserTable.columns(tenantId)}
    from end_users named join end_users
      on end_users.tenant_id = ${tenantId} and end_users.id = coalesce(named.merged_into_id, named.id)
    where named.tenant_id = ${tenantId} and named.id = any(${ids}::uuid[])`)
  return new Map(rows.map(({ asked, ...row }) => [asked, row]))
}

/** The conversations of messages. */
export const conversationsOfMessages = (
  db: Db,
  tenantId: string,
  ids: string[],
): Promise<{ id: string; conversation_id: string }[]> =>
  db.rows(
    sql`select id, conversation_id from messages where tenant_id = ${tenantId} and id = any(${ids}::uuid[])`,
  )

type Owner = Promise<{ id: string } | null>

export const findDepartmentByName = (db: Db, tenantId: string, name: string): Owner =>
  db.maybe(sql`select id from departments where tenant_id = ${tenantId} and name_key = ${nameKey(name)}`)

/** Names are unique among the children of one parent. */
export const findCategoryByName = (db: Db, tenantId: string, parentId: string | null, name: string): Owner =>
  db.maybe(sql`select id from categories where tenant_id = ${tenantId}
    and parent_id is not distinct from ${parentId}::uuid and name_key = ${nameKey(name)}`)

export const findCollectionByName = (
  db: Db,
  tenantId: string,
  parentId: string | null,
  name: string,
): Owner =>
  db.maybe(sql`select id from kb_collections where tenant_id = ${tenantId}
    and parent_id is not distinct from ${parentId}::uuid and name_key = ${nameKey(name)}`)

const linked = rowSet<Conversation>({
  id: ['uuid', ({ id }) => id],
  version: ['integer', ({ version }) => version],
  follow_up_of_id: ['uuid', (row) => row.follow_up_of_id],
  merged_into_id: ['uuid', (row) => row.merged_into_id],
})

/** Updates of conversations leave `follow_up_of_id` as it is, so this is a statement of its own. */
export const linkConversations = (tenantId: string, rows: Conversation[]): Sql =>
  sql`update conversations set follow_up_of_id = v.follow_up_of_id, merged_into_id = v.merged_into_id, version = v.version
    from ${linked(rows)} where conversations.tenant_id = ${tenantId} and conversations.id = v.id
      and conversations.version = v.version - 1 returning 1`

/** The lines that have a result, among some. */
export async function toldLines(
  db: Db,
  tenantId: string,
  jobId: string,
  numbers: number[],
): Promise<Set<number>> {
  const rows = await db.rows<{ place: number }>(sql`select place from job_results
    where tenant_id = ${tenantId} and job_id = ${jobId} and place = any(${numbers}::integer[])`)
  return new Set(rows.map(({ place }) => place))
}
