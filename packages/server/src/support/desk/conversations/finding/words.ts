import type { Page, SortKey } from '../../../../platform/kernel/page.ts'
import { type Checks, conditionsOf, resolved } from '../../../../platform/lists/checks.ts'
import type { At, Leaf } from '../../../../platform/lists/field.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { and, join, none, type Sql, sql } from '../../../../platform/postgres/sql.ts'
import type { ListRequest } from '../../../../platform/resource/resource.ts'
import type { Order } from '../../../../platform/tables/table.ts'
import { type Conversation, conversationTable } from '../queries.ts'
import { type ConversationSort, orderOf } from './orders.ts'

/**
 * A search finds a page in one of two ways. The word index finds all matches, but in no order, so they have to be few.
 * A walk checks conversations in the order of the list until the page is full, so matches have to be many. A short walk
 * comes first: it suffices for a frequent word, whose matches the index would take long to list. What it finds decides
 * which way is tried next. Reading all matches from disk costs more than walking through some thousand recent
 * conversations, so the index gives up beyond a number of matches. bench/README.md has the costs.
 */
export type SearchLimits = {
  /** The numbers of conversations of the walks: of the first one, of the next, and of the last. */
  walks: [first: number, next: number, last: number]
  /** Beginning with this number of matches in the first walk, the next walk soon has a page. */
  frequentFrom: number
  /** The number of matches that cost so little that they are asked for before the next walk. */
  fewest: number
  /**
   * The number of matches that are asked for before the last walk; before the next, if the first has none.
   */
  few: number
  /**
   * The number of matches that suffices to count `maxTotal` conversations with one or a few matching messages each.
   */
  counted: number
}

const usual: SearchLimits = {
  walks: [200, 10_000, 100_000],
  frequentFrom: 5,
  fewest: 1_000,
  few: 15_000,
  counted: 40_000,
}

/** The words of a search as tsqueries: all, and those that the index is asked for first (`distinctiveQuery`). */
export type Words = { query: string; distinctive: string }

/** The conversations with all words of a query that pass some checks. */
export function searchRequest(
  db: Db,
  at: At,
  words: Words,
  checks: Checks,
  limits: SearchLimits = usual,
): ListRequest<Conversation, ConversationSort> {
  const { tenantId } = at
  let known: Promise<Checks | null> | undefined
  const read = () => (known ??= resolved(db, tenantId, checks))
  return {
    async page(page) {
      const found = await read()
      if (found === null) return []
      const conditions = conditionsOf(found, at)
      const order = orderOf(page.sort, found)
      return conversationTable.foundBy(db, tenantId, (columns) =>
        pageOfMatches({ db, tenantId, words, conditions, columns }, order, page, limits),
      )
    },
    async count(atMost) {
      const found = await read()
      if (found === null) return 0
      const conditions = conditionsOf(found, at)
      return (
        (await countAmongSome(db, tenantId, conditions, words, { some: limits.counted, atMost })) ??
        conversationTable.count(db, tenantId, [...conditions, isMatch(tenantId, words.query)], atMost)
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

/** A search among the conversations that meet some conditions, and the columns to select. */
type Search = { db: Db; tenantId: string; words: Words; conditions: Sql[]; columns: Sql }

/** A page of matches, by the first way that leads to one. */
async function pageOfMatches<Found>(
  search: Search,
  order: Order<Conversation>,
  { limit, after }: Page,
  { walks: [first, next, last], frequentFrom, fewest, few }: SearchLimits,
): Promise<Found[]> {
  const { words, conditions } = search
  const part = { ...search, conditions: after ? [...conditions, order.after(after)] : conditions }
  const walk = (among: number) => walkThrough<Found>(part, order, { among, limit, after })
  const ask = (asked: string, most: number) => askIndex<Found>(part, order, { asked, few: most, limit })

  const begun = await walk(first)
  if (begun.isPage) return begun.rows
  const { length: matches } = begun.rows
  const found = matches < frequentFrom ? await ask(words.distinctive, fewest) : null
  if (found) return found
  const foundAll = matches === 0 ? await ask(words.query, few) : null
  if (foundAll) return foundAll
  const continued = await walk(next)
  if (continued.isPage) return continued.rows
  const foundLate = matches > 0 ? await ask(words.query, few) : null
  if (foundLate) return foundLate
  const ended = await walk(last)
  return ended.isPage ? ended.rows : allMatches<Found>(part, order, { limit, after })
}

/**
 * Counts conversations among some matches, in any order; null if these are neither all nor enough. A count up to ten
 * thousand does not need a million matches.
 */
async function countAmongSome(
  db: Db,
  tenantId: string,
  conditions: Sql[],
  words: Words,
  { some: count, atMost }: { some: number; atMost: number },
): Promise<number | null> {
  const some = someOf(tenantId, words.query, words.query, count)
  const [row] = await db.slowRows<{ count: number; all: boolean }>(
    sql`with ${some.matches}, found as materialized (
        select 1 from conversations where ${join([sql`tenant_id = ${tenantId}`, ...conditions, some.isOne], and)} limit ${atMost})
      select (select count(*) from found) as count, ${some.areAll} as all`,
  )
  return row!.all || row!.count === atMost ? row!.count : null
}

/**
 * A page of the matches that the word index finds, if these are few; null if they may be more.
 * @param asked the words that it is asked for; the others are checked
 */
async function askIndex<Found>(
  { db, tenantId, words, conditions, columns }: Search,
  { by }: Order<Conversation>,
  { asked, few: most, limit }: { asked: string; few: number; limit: number },
): Promise<Found[] | null> {
  const few = someOf(tenantId, words.query, asked, most)
  const rows = await db.slowRows<{ place: number | null; all: boolean }>(
    sql`with ${few.matches}, complete as materialized (select ${few.areAll} as "all"), found as materialized (
        select ${columns}, row_number() over (order by ${by}) as place from conversations
          where (select "all" from complete) and ${join([sql`tenant_id = ${tenantId}`, ...conditions, few.isOne], and)}
          order by ${by} limit ${limit})
      select complete."all", found.* from complete left join found on true order by place`,
  )
  return rows[0]!.all ? rowsOf<Found>(rows.map(({ all: _, ...row }) => row)) : null
}

/** The rows that were found, without their places. A left join without a match has a row of nulls. */
const rowsOf = <Found>(rows: { place: number | null }[], last = Number.POSITIVE_INFINITY): Found[] =>
  rows.flatMap(({ place, ...row }) => (place === null || place > last ? [] : [row as Found]))

/**
 * The conversations of some matches, by the word index. Matches are planned as if all were needed: a plan for the
 * first ones would read the whole table for words that never occur together. Conversations are selected by an array,
 * where the plan starts: for a join, PostgreSQL may scan all of them to find these few.
 */
function someOf(tenantId: string, query: string, asked: string, count: number) {
  const isWhole = asked === query
  const found = (id: Sql, table: Sql) =>
    sql`select ${id} as id${isWhole ? none : sql`, search`} from ${table} where tenant_id = ${tenantId} and search @@ ${asked}::tsquery`
  const some = (name: Sql) => sql`(select * from ${name} limit ${count}::integer) first`
  const checked = isWhole ? none : sql` where search @@ ${query}::tsquery`
  const isFew = (name: Sql) => sql`(select count(*) from ${some(name)}) < ${count}::integer`
  const people = isWhole ? sql`people` : sql`${some(sql`people`)}${checked}`
  const names = [sql`said`, sql`titled`, sql`written`, ...(isWhole ? [] : [sql`people`])]
  return {
    matches: sql`said as materialized (${found(sql`conversation_id`, sql`messages`)}),
      titled as materialized (${found(sql`id`, sql`conversations`)}),
      people as materialized (${found(sql`id`, sql`end_users`)}),
      written as materialized (${ofPeople(tenantId, sql`select id from ${people}`)})`,
    isOne: sql`id = any(array(select id from ${some(sql`said`)}${checked} union
      select id from ${some(sql`titled`)}${checked} union select id from ${some(sql`written`)}))`,
    areAll: sql`(${join(names.map(isFew), and)})`,
  }
}

/**
 * The matches among the next conversations in an order, and whether they are a page; they are not if more may follow.
 * That is shown by one more conversation, which is not checked.
 */
async function walkThrough<Found>(
  { db, tenantId, words: { query }, conditions, columns }: Search,
  order: Order<Conversation>,
  { among, limit, after }: { among: number; limit: number; after: SortKey | null },
): Promise<{ rows: Found[]; isPage: boolean }> {
  const next = sql`select conversations.* from ${inOrder(tenantId, conditions, order, after, among + 1)}
    order by ${order.by} limit ${among + 1}`
  // The order of a subquery is kept, so that reading ends with the page. Another `order by` would read all.
  const numbered = sql`select conversations.*, row_number() over () as place from (${next}) conversations`
  const rows = await db.slowRows<{ place: number }>(
    sql`with found as materialized (select ${columns}, place from (${numbered}) conversations
        where place > ${among} or ${matchesEach(tenantId, query)} limit ${limit})
      select * from found order by place`,
  )
  return { rows: rowsOf<Found>(rows, among), isPage: rows.every(({ place }) => place <= among) }
}

/** A page of all matches, however many these are. */
const allMatches = <Found>(
  { db, tenantId, words: { query }, conditions, columns }: Search,
  order: Order<Conversation>,
  { limit, after }: Omit<Page, 'sort'>,
): Promise<Found[]> =>
  db.slowRows(
    sql`select ${columns} from ${inOrder(tenantId, [...conditions, isMatch(tenantId, query)], order, after, limit)}
      order by ${order.by} limit ${limit}`,
  )

/** The from item of at least the first `limit` conversations in an order. */
function inOrder(
  tenantId: string,
  conditions: Sql[],
  { rows }: Order<Conversation>,
  after: SortKey | null,
  limit: number,
): Sql {
  const where = join([sql`tenant_id = ${tenantId}`, ...conditions], and)
  return rows?.(where, after, limit) ?? sql`conversations where ${where}`
}

const isMatch = (tenantId: string, query: string): Sql => sql`id in (${matches(tenantId, query)})`

/** The conversations with matches, by the word index. */
const matches = (tenantId: string, query: string): Sql =>
  sql`select id from conversations where tenant_id = ${tenantId} and search @@ ${query}::tsquery
    union select conversation_id from messages where tenant_id = ${tenantId} and search @@ ${query}::tsquery
    union ${ofPeople(
      tenantId,
      sql`select id from end_users where tenant_id = ${tenantId} and search @@ ${query}::tsquery`,
    )}`

/**
 * The same condition for one conversation at a time. As a value, because `exists` may become a scan of all messages.
 */
const matchesEach = (tenantId: string, query: string): Sql =>
  sql`(search @@ ${query}::tsquery or coalesce((select true from messages said where said.tenant_id = ${tenantId}
    and said.conversation_id = conversations.id and said.search @@ ${query}::tsquery limit 1), false)
  or coalesce((select case when stored.merged_into_id is null then stored.search else (select target.search
      from end_users target where target.tenant_id = ${tenantId} and target.id = stored.merged_into_id) end @@ ${query}::tsquery
    from end_users stored where stored.tenant_id = ${tenantId} and stored.id = conversations.end_user_id), false))`

/** The conversations of end users, by a query for their ids, and of those merged into them. */
const ofPeople = (tenantId: string, ids: Sql): Sql =>
  sql`select c.id from (
      with found as materialized (${ids})
      select id from found union all select also.id from found join end_users also
        on also.tenant_id = ${tenantId} and also.merged_into_id = found.id) person
    join conversations c on c.tenant_id = ${tenantId} and c.end_user_id = person.id`
