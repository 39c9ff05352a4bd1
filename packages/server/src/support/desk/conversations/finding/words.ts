import type { Page, SortKey } from '../../../../platform/kernel/page.ts'
import { type Checks, conditionsOf, resolved } from '../../../../platform/lists/checks.ts'
import type { At, Leaf } from '../../../../platform/lists/field.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { and, join, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { ListRequest } from '../../../../platform/resource/resource.ts'
import type { Order } from '../../../../platform/tables/table.ts'
import { type Conversation, conversationTable } from '../queries.ts'
import { type ConversationSort, orderOf } from './orders.ts'

/**
 * A search finds a page in one of two ways. If matches are few, the word index finds all; it has no order. If they
 * are many, conversations are scanned in the order of the list until the page is full: first the next few, which
 * suffices for a frequent word, then more and more, unless matches are few. That is checked when the next few have
 * none or the next many not enough, because reading all matches from disk costs more than scanning some thousand
 * recent conversations. Words that are frequent only among old conversations, or only with another filter, are found
 * by the index. bench/README.md has the costs.
 */
export type SearchLimits = {
  /** The maximum number of matches that count as few. */
  few: number
  /** The number of conversations that are scanned first, next, and last. */
  lookedThrough: number[]
  /**
   * The number of matches that suffices to count `maxTotal` conversations with one or a few matching messages each.
   */
  counted: number
}

const usual: SearchLimits = {
  few: 15_000,
  lookedThrough: [200, 10_000, 100_000],
  counted: 40_000,
}

/** The conversations with all words of a query that pass some checks. */
export function searchRequest(
  db: Db,
  at: At,
  query: string,
  checks: Checks,
  limits: SearchLimits = usual,
): ListRequest<Conversation, ConversationSort> {
  const { tenantId } = at
  let known: Promise<Checks | null> | undefined
  const read = () => (known ??= resolved(db, tenantId, checks))
  const matching = sql`id in (${matches(tenantId, query)})`
  return {
    async page(page) {
      const found = await read()
      if (found === null) return []
      const conditions = conditionsOf(found, at)
      const order = orderOf(page.sort, found)
      return (
        (await firstMatches(db, tenantId, conditions, order, query, page, limits)) ??
        conversationTable.list(db, tenantId, [...conditions, matching], order, page)
      )
    },
    async count(atMost) {
      const found = await read()
      if (found === null) return 0
      const conditions = conditionsOf(found, at)
      return (
        (await countAmongSome(db, tenantId, conditions, query, { some: limits.counted, atMost })) ??
        conversationTable.count(db, tenantId, [...conditions, matching], atMost)
      )
    },
  }
}

/** The words of a query as a condition of a tree. */
export const wordsLeaf = (query: string): Leaf => ({
  field: 'q',
  op: 'is',
  values: [query],
  of: {
    kind: 'text',
    description: 'Words of the subject, of a message or of the end user.',
    some: (_, { tenantId }) => matchesEach(tenantId, query),
    candidates: (_, { tenantId }) => matches(tenantId, query),
  },
})

/** A page of matches by scans or by the word index; null if neither leads to one. */
async function firstMatches(
  db: Db,
  tenantId: string,
  conditions: Sql[],
  order: Order<Conversation>,
  query: string,
  { limit, after }: Page,
  { few, lookedThrough }: SearchLimits,
): Promise<Conversation[] | null> {
  const next = after ? [...conditions, order.after(after)] : conditions
  let mayBeFew = 2
  for (const [i, among] of lookedThrough.entries()) {
    if (i === mayBeFew) {
      const rows = await firstOfFew(db, tenantId, next, order, query, { few, limit })
      if (rows) return rows
    }
    const first = await firstOf(db, tenantId, next, order, query, { among, limit, after })
    if (first.isPage) return first.rows
    if (i === 0 && first.rows.length === 0) mayBeFew = 1
  }
  return null
}

/**
 * Counts conversations among some matches, in any order; null if these are neither all nor enough. A count up to ten
 * thousand does not need a million matches.
 */
async function countAmongSome(
  db: Db,
  tenantId: string,
  conditions: Sql[],
  query: string,
  { some: count, atMost }: { some: number; atMost: number },
): Promise<number | null> {
  const some = someOf(tenantId, query, count)
  const [row] = await db.slowRows<{ count: number; all: boolean }>(
    sql`with ${some.matches}, found as materialized (
        select 1 from conversations where ${join([sql`tenant_id = ${tenantId}`, ...conditions, some.isOne], and)} limit ${atMost})
      select (select count(*) from found) as count, ${some.areAll} as all`,
  )
  return row!.all || row!.count === atMost ? row!.count : null
}

/** A page of a query's matches if these are few conversations; null if they may be more. */
async function firstOfFew(
  db: Db,
  tenantId: string,
  conditions: Sql[],
  { by }: Order<Conversation>,
  query: string,
  { few: most, limit }: { few: number; limit: number },
): Promise<Conversation[] | null> {
  const few = someOf(tenantId, query, most)
  const rows = await db.slowRows<Partial<Conversation> & { all: boolean }>(
    sql`with ${few.matches}, complete as materialized (select ${few.areAll} as "all"), found as materialized (
        select ${conversationTable.columns(tenantId)} from conversations
          where (select "all" from complete) and ${join([sql`tenant_id = ${tenantId}`, ...conditions, few.isOne], and)}
          order by ${by} limit ${limit})
      select complete."all", found.* from complete left join found on true order by ${by}`,
  )
  return rows[0]!.all ? rowsOf(rows.map(({ all: _, ...row }) => row)) : null
}

/** A left join without a match has a row of nulls. */
const rowsOf = (rows: Partial<Conversation>[]): Conversation[] =>
  rows.filter((row): row is Conversation => row.id != null)

/**
 * The conversations of some matches, by the word index. Matches are planned as if all were needed: a plan for the
 * first ones would read the whole table for words that never occur together. Conversations are selected by an array,
 * where the plan starts: for a join, PostgreSQL may scan all of them to find these few.
 */
function someOf(tenantId: string, query: string, count: number) {
  const first = (name: Sql) => sql`(select id from ${name} limit ${count}::integer)`
  const counted = (name: Sql) => sql`(select count(*) from ${first(name)} first)`
  return {
    matches: sql`said as materialized (select conversation_id as id from messages where tenant_id = ${tenantId} and search @@ ${query}::tsquery),
      titled as materialized (select id from conversations where tenant_id = ${tenantId} and search @@ ${query}::tsquery),
      written as materialized (${ofPeople(tenantId, query)})`,
    isOne: sql`id = any(array(${first(sql`said`)} union ${first(sql`titled`)} union ${first(sql`written`)}))`,
    areAll: sql`(${counted(sql`said`)} < ${count}::integer and ${counted(sql`titled`)} < ${count}::integer
      and ${counted(sql`written`)} < ${count}::integer)`,
  }
}

/**
 * The matches among the next conversations in an order, and whether they are a page; they are not if more may follow.
 * The same statement counts the scanned conversations, so that a conversation that leaves the range meanwhile does
 * not make it look complete.
 */
async function firstOf(
  db: Db,
  tenantId: string,
  conditions: Sql[],
  { by, rows: inOrder }: Order<Conversation>,
  query: string,
  { among, limit, after }: { among: number; limit: number; after: SortKey | null },
): Promise<{ rows: Conversation[]; isPage: boolean }> {
  const where = join([sql`tenant_id = ${tenantId}`, ...conditions], and)
  const from = inOrder?.(where, after, among) ?? sql`conversations where ${where}`
  const next = sql`select conversations.* from ${from} order by ${by} limit ${among}`
  const rows = await db.slowRows<Partial<Conversation> & { looked_through: number | null }>(
    sql`with found as materialized (select ${conversationTable.columns(tenantId)} from (${next}) conversations
        where ${matchesEach(tenantId, query)} order by ${by} limit ${limit}),
      looked as materialized (select case when (select count(*) from found) < ${limit}::integer
        then (select count(*) from (${next}) all_of_them) end as looked_through)
      select looked.looked_through, found.* from looked left join found on true order by ${by}`,
  )
  const lookedThrough = rows[0]!.looked_through
  return {
    rows: rowsOf(rows.map(({ looked_through: _, ...row }) => row)),
    isPage: lookedThrough === null || lookedThrough < among,
  }
}

/** The conversations with matches, by the word index. */
const matches = (tenantId: string, query: string): Sql =>
  sql`select id from conversations where tenant_id = ${tenantId} and search @@ ${query}::tsquery
    union select conversation_id from messages where tenant_id = ${tenantId} and search @@ ${query}::tsquery
    union ${ofPeople(tenantId, query)}`

/**
 * The same condition for one conversation at a time. As a value, because `exists` may become a scan of all messages.
 */
const matchesEach = (tenantId: string, query: string): Sql =>
  sql`(search @@ ${query}::tsquery or coalesce((select true from messages said where said.tenant_id = ${tenantId}
    and said.conversation_id = conversations.id and said.search @@ ${query}::tsquery limit 1), false)
  or coalesce((select coalesce(target.search, stored.search) @@ ${query}::tsquery from end_users stored
    left join end_users target on target.tenant_id = ${tenantId} and target.id = stored.merged_into_id
    where stored.tenant_id = ${tenantId} and stored.id = conversations.end_user_id), false))`

/** The conversations of end users whose name and addresses have all words, also of those merged into them. */
const ofPeople = (tenantId: string, query: string): Sql =>
  sql`select c.id from (
      select id from end_users where tenant_id = ${tenantId} and search @@ ${query}::tsquery
      union all select also.id from end_users found join end_users also
        on also.tenant_id = ${tenantId} and also.merged_into_id = found.id
        where found.tenant_id = ${tenantId} and found.search @@ ${query}::tsquery) person
    join conversations c on c.tenant_id = ${tenantId} and c.end_user_id = person.id`
