import { nameKey } from '../../../platform/kernel/names.ts'
import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Db, RowSource } from '../../../platform/postgres/database.ts'
import { type Sql, sql } from '../../../platform/postgres/sql.ts'
import { searchTokens } from '../../../platform/search/search-text.ts'
import { byCreation, defineTable, type Order } from '../../../platform/tables/table.ts'
import { counter } from '../../../platform/unit-of-work/plan.ts'
import {
  type CustomValue,
  customValuesIn,
  storedValues,
} from '../../properties/custom-fields/values/queries.ts'
import { type RowOf, tables } from '../../vocabulary/tables.generated.ts'

export type EmailAddress = { address: string; verified: boolean }

export type EndUser = RowOf<
  'end_users',
  { emails: EmailAddress[]; metadata: Record<string, string>; custom_fields: CustomValue[] },
  'name_key' | 'search'
>

/**
 * A merged end user keeps its row: what refers to it belongs to `merged_into_id`, which queries resolve. A merge
 * therefore moves no rows (docs/adr/0039-people.md).
 */
export const endUserTable = defineTable<EndUser>({
  name: 'end_users',
  columns: tables.end_users,
  fixed: ['last_seen_at'],
  usuallyNull: [
    'language',
    'timezone',
    'avatar_url',
    'verified_at',
    'last_seen_at',
    'blocked_at',
    'blocked_until',
    'block_reason',
    'merged_into_id',
    'erased_at',
    'legal_hold_reason',
    'legal_hold_since',
  ],
  derived: {
    name_key: { type: 'text', value: ({ name }) => placeOf(name) },
    search: { type: 'tsvector', value: wordsOf },
    custom_values: storedValues,
  },
  joined: { custom_fields: customValuesIn(sql`end_users.custom_values`) },
})

/** The place in the order of names; those without a name come last. */
const placeOf = (name: string | null): string => (name === null ? '1' : `0${nameKey(name)}`)

/** Marks words of external ids, which searches for conversations leave out. */
export const ofExternalId = '#'

/**
 * The words by which an end user is found; null for one that was merged or erased, and for one of whom only the
 * external id is known: most new ones are such, and are found by the beginning of their ids.
 */
function wordsOf({ name, emails, phones, external_id, merged_into_id, erased_at }: EndUser): string[] | null {
  const texts = [name ?? '', ...emails.map(({ address }) => address), ...phones]
  const words = texts.flatMap((text) => searchTokens(text))
  if (words.length === 0 || merged_into_id !== null || erased_at !== null) return null
  const marked = searchTokens(external_id ?? '').map((token) => `${ofExternalId}${token}`)
  return [...new Set([...words, ...marked])]
}

export const endUserOrders = {
  ...byCreation,
  '-last_seen_at': {
    by: sql`coalesce(last_seen_at, '-infinity') desc, id desc`,
    after: ([at, id]: SortKey) => sql`(coalesce(last_seen_at, '-infinity'), id) < (${at}, ${id})`,
    key: (row: EndUser): SortKey => [row.last_seen_at ?? '-infinity', row.id],
  },
  name: {
    by: sql`name_key, id`,
    after: ([name, id]: SortKey) => sql`(name_key, id) > (${name}, ${id})`,
    key: (row: EndUser): SortKey => [placeOf(row.name), row.id],
  },
} as const satisfies Record<string, Order<EndUser>>

type Found<Value> = { id: string; found: Value }

/** End users by external ids, also those of aliases. Concurrent requests share one statement. */
const byExternalId: RowSource<Found<EndUser>> = {
  one: async (db, tenantId, externalId) =>
    keyed(await db.maybe(namedWith(tenantId, sql`named.external_id = ${externalId}`))),
  many: async (db, tenantId, externalIds) =>
    (
      await db.rows<EndUser & { key: string }>(
        namedWith(tenantId, sql`named.external_id = any(${externalIds}::text[])`),
      )
    ).map((row) => keyed(row)!),
}

const keyed = (row: (EndUser & { key: string }) | null): Found<EndUser> | null => {
  if (row === null) return null
  const { key, ...found } = row
  return { id: key, found }
}

const namedWith = (tenantId: string, condition: Sql): Sql =>
  sql`select named.external_id as key, ${endUserTable.columns(tenantId)} from end_users named
    join end_users on end_users.tenant_id = ${tenantId} and end_users.id = coalesce(named.merged_into_id, named.id)
    where named.tenant_id = ${tenantId} and ${condition}`

/** The end user with an external id; the target, if the id is an alias. */
export const findEndUserByExternalId = async (
  db: Db,
  tenantId: string,
  externalId: string,
): Promise<EndUser | null> => (await db.reads.find(byExternalId, db, tenantId, externalId))?.found ?? null

/** The ids that rows of one person may have: those of the end user and of all that were merged into it. */
const idsByExternalId: RowSource<Found<string[]>> = idsBy(sql`external_id`, sql`text[]`)
const idsById: RowSource<Found<string[]>> = idsBy(sql`id`, sql`uuid[]`)

function idsBy(column: Sql, type: Sql): RowSource<Found<string[]>> {
  const read = (db: Db, tenantId: string, keys: string[]) =>
    db.rows<Found<string[]>>(sql`select named.${column}::text as id, array(select also.id from end_users also
        where also.tenant_id = ${tenantId} and also.merged_into_id = coalesce(named.merged_into_id, named.id))
          || coalesce(named.merged_into_id, named.id) as found
      from end_users named where named.tenant_id = ${tenantId} and named.${column} = any(${keys}::${type})`)
  return {
    one: async (db, tenantId, key) => (await read(db, tenantId, [key]))[0] ?? null,
    many: read,
  }
}

/** All ids of the person with this external id; empty if there is none. */
export const idsOfExternalId = async (db: Db, tenantId: string, externalId: string): Promise<string[]> =>
  (await db.reads.find(idsByExternalId, db, tenantId, externalId))?.found ?? []

/** All ids of the person with this id; empty if there is none. */
export const idsOfEndUser = async (db: Db, tenantId: string, id: string): Promise<string[]> =>
  (await db.reads.find(idsById, db, tenantId, id))?.found ?? []

/** Gives the aliases of an end user to the one that it is merged into, so that no alias has an alias. */
export const passOnAliases = (tenantId: string, fromId: string, toId: string): Sql =>
  sql`update end_users set merged_into_id = ${toId} where tenant_id = ${tenantId} and merged_into_id = ${fromId}`

/** Another end user who has one of the verified addresses of this one. */
export const findOwnerOfAddress = (
  db: Db,
  tenantId: string,
  { id, emails }: EndUser,
): Promise<{ id: string } | null> => {
  const verified = emails.filter(({ verified }) => verified).map(({ address }) => emailKey(address))
  return db.maybe(sql`select end_user_id as id from end_user_addresses
    where tenant_id = ${tenantId} and kind = 'email' and address = any(${verified}::text[]) and is_verified
      and end_user_id <> ${id} limit 1`)
}

export type StoredAddress = {
  kind: 'email' | 'phone'
  address: string
  end_user_id: string
  is_verified: boolean
}

export const insertAddresses = (tenantId: string, rows: StoredAddress[]): Sql =>
  sql`insert into end_user_addresses (tenant_id, kind, address, end_user_id, is_verified)
    select ${tenantId}::uuid, v.kind, v.address, v.end_user_id, v.is_verified
    from unnest(${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ address }) => address)}::text[],
      ${rows.map((row) => row.end_user_id)}::uuid[], ${rows.map((row) => row.is_verified)}::boolean[])
      as v (kind, address, end_user_id, is_verified)`

export const deleteAddresses = (tenantId: string, rows: StoredAddress[]): Sql =>
  sql`delete from end_user_addresses using unnest(${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ address }) => address)}::text[], ${rows.map((row) => row.end_user_id)}::uuid[])
      as gone (kind, address, end_user_id)
    where end_user_addresses.tenant_id = ${tenantId} and end_user_addresses.kind = gone.kind
      and end_user_addresses.address = gone.address and end_user_addresses.end_user_id = gone.end_user_id`

type Member = { company_id: string; end_user_id: string }

export const insertMembers = (tenantId: string, rows: Member[]): Sql =>
  sql`insert into company_members (tenant_id, company_id, end_user_id)
    select ${tenantId}::uuid, v.company_id, v.end_user_id
    from unnest(${rows.map((row) => row.company_id)}::uuid[], ${rows.map((row) => row.end_user_id)}::uuid[])
      as v (company_id, end_user_id)
    on conflict (tenant_id, company_id, end_user_id) do nothing`

export const deleteMembers = (tenantId: string, rows: Member[]): Sql =>
  sql`delete from company_members using unnest(${rows.map((row) => row.company_id)}::uuid[],
      ${rows.map((row) => row.end_user_id)}::uuid[]) as gone (company_id, end_user_id)
    where company_members.tenant_id = ${tenantId} and company_members.company_id = gone.company_id
      and company_members.end_user_id = gone.end_user_id`

/** Their generation changes whenever an end user changes in a way that conversations show. */
export const endUserGenerations = sql`end_user_generations`

/** Read once for a whole page. */
export const generationOfEndUsers = (tenantId: string): Sql =>
  sql`(select generation from ${endUserGenerations} where tenant_id = ${tenantId})`

export const raiseGenerations = counter<null>(
  { table: 'end_user_generations' },
  (tenantId) => sql`insert into end_user_generations (tenant_id, generation) values (${tenantId}, 1)
    on conflict (tenant_id) do update set generation = end_user_generations.generation + 1 returning 1`,
)

/** An end user who is deleted takes part in no conversation. */
export const deleteParticipations = (tenantId: string, endUserId: string): Sql =>
  sql`delete from conversation_participants where tenant_id = ${tenantId} and end_user_id = ${endUserId}`

/** Addresses are compared without regard to case. */
export const emailKey = (address: string): string => address.toLowerCase()

/** The number of conversations that belong to one of these end users. */
export async function countConversationsOf(db: Db, tenantId: string, ids: string[]): Promise<number> {
  const [row] = await db.slowRows<{ count: number }>(sql`select count(*) from conversations
    where tenant_id = ${tenantId} and end_user_id = any(${ids}::uuid[])`)
  return row!.count
}
