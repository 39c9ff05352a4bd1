import type { SortKey } from '../kernel/page.ts'
import { countUpTo } from '../postgres/count.ts'
import type { Db } from '../postgres/database.ts'
import { none, type Sql, sql } from '../postgres/sql.ts'
import { isSpellable, meantBy, trigrams } from './misspellings.ts'
import { anywhere, inHead, type SearchKind } from './search-index.ts'
import { isUnspaced, queryTokens } from './search-text.ts'
import type { Terms } from './snippet.ts'

/*
 * A search has up to three steps; the first step with a result determines the list: documents with all words (the last
 * word may be a prefix), documents with all words or possible corrections of them, and documents with any of the words,
 * rare words first. docs/adr/0005-search.md has the reasons and the costs.
 */

/**
 * The scope of a search: kinds, languages (nearest first; null for all), one collection or all, and a condition on
 * rows of `search_documents`. Filtering after the search would lose documents among the ranked ones.
 */
export type SearchScope = {
  kinds: SearchKind[]
  localeKeys: string[] | null
  collectionId?: string
  among?: Sql
}

/**
 * One step of a search: SQL of its matches as rows of `id` and `score` (0 to 10,000), and the terms to highlight.
 * Later pages use the `weights` of the first page.
 */
export type Reading = { step: number; matches: Sql; terms: Terms; weights: number[] }

/** The position in a list of results: its step, score and id. */
export const placeOf = ({ step, weights }: Reading, { score, id }: Match): SortKey => [
  step,
  score,
  id,
  ...weights,
]

type Match = { id: string; score: number }

/**
 * The maximum number of ranked documents: those with the words in their heads, and those with the words anywhere. The
 * choice among more is the order in the table, which is stable while they are not published again.
 */
const maxRanked = 200
const maxSimilarWords = 100
/** A word in the heads of this many documents is not distinctive. */
const frequentFrom = 50

/**
 * The steps of a query in order. A query without a letter or digit has none; no query has a single one.
 * @param after the position of the previous page's end
 */
export async function* readings(
  db: Db,
  tenantId: string,
  query: string | undefined,
  scope: SearchScope,
  after: SortKey | null = null,
): AsyncGenerator<Reading, void> {
  if (query === undefined)
    yield { step: 0, terms: { words: [], beginnings: [] }, matches: everything(tenantId, scope), weights: [] }
  const { tokens, last } = queryTokens(query ?? '')
  if (last === null) return
  const unfinished = last.length > 1 || isUnspaced(last) ? last : null // one letter starts too many words
  const terms = {
    words: tokens.filter((token) => token !== unfinished),
    beginnings: unfinished === null ? [] : [unfinished],
  }
  const literally = tokens.map((token) => [{ token, prefix: token === unfinished }])
  yield { step: 0, terms, matches: havingAll(tenantId, scope, literally), weights: [] }

  const meant = await wordsMeantBy(db, tenantId, tokens)
  const widely = literally.map((words, i) => [
    ...words,
    ...meant[i]!.map((token) => ({ token, prefix: false })),
  ])
  const all = { ...terms, words: [...terms.words, ...meant.flat()] }
  if (meant.flat().length > 0)
    yield { step: 1, terms: all, matches: havingAll(tenantId, scope, widely), weights: [] }
  if (tokens.length === 1) return
  const kept = (after?.slice(3) ?? []) as number[]
  const weights = kept.length > 0 ? kept : await weigh(db, tenantId, scope, widely)
  yield { step: 2, terms: all, matches: havingAny(tenantId, scope, widely, weights), weights }
}

/** A page of the first step with a result; after a sort key, a page of the same step. */
export async function firstFound<Row>(
  all: AsyncIterable<Reading>,
  after: SortKey | null,
  find: (reading: Reading, after: SortKey | null) => Promise<Row[]>,
): Promise<{ rows: Row[]; reading: Reading } | null> {
  for await (const reading of all) {
    if (after && after[0] !== reading.step) continue
    const rows = await find(reading, after?.slice(1) ?? null)
    if (rows.length > 0) return { rows, reading }
  }
  return null
}

/** The best matches for a text that is not a query: any of its words. */
export async function fitting(db: Db, tenantId: string, tokens: string[], scope: SearchScope): Promise<Sql> {
  const words = tokens.map((token) => [{ token, prefix: false }])
  return havingAny(tenantId, scope, words, await weigh(db, tenantId, scope, words))
}

/** A page of matches, best first. */
export const findBest = (db: Db, matches: Sql, limit: number, after: SortKey | null): Promise<Match[]> =>
  db.slowRows(
    sql`select id, score from (${matches}) matches${after ? sql` where (score, id) < (${after[0]}, ${after[1]})` : none}
      order by score desc, id desc limit ${limit}`,
    'kept', // always by the index: the table has no statistics
  )

export const countMatches = (db: Db, matches: Sql, atMost: number): Promise<number> =>
  countUpTo(db, sql`select 1 from (${matches}) matches`, atMost)

/** The text of a document for its snippet. */
export const textOf = (tenantId: string, kind: SearchKind, id: Sql): Sql =>
  sql`(select found.text from search_documents found
    where found.tenant_id = ${tenantId} and found.kind = ${kind} and found.id = ${id})`

type Word = { token: string; prefix: boolean }

const anyOf = (words: Word[], mark: string): string =>
  words.map(({ token, prefix }) => `'${mark}${token}'${prefix ? ':*' : ''}`).join(' | ')

const allOf = (words: Word[][], mark: string): string =>
  words.map((alternatives) => `(${anyOf(alternatives, mark)})`).join(' & ')

/** Only the nearest translation of a document is returned; each fallback costs a tenth of the score. */
const family = ({ localeKeys }: SearchScope): Sql => (localeKeys ? sql`family_id` : sql`id`)
const nearness = ({ localeKeys }: SearchScope): Sql =>
  localeKeys ? sql`power(0.9, array_position(${localeKeys}::text[], locale_key) - 1)` : sql`1`

const within = (tenantId: string, { kinds, localeKeys, collectionId, among }: SearchScope): Sql =>
  sql`tenant_id = ${tenantId} and kind = any(${kinds}::text[])${localeKeys ? sql` and locale_key = any(${localeKeys}::text[])` : none}${
    collectionId === undefined ? none : sql` and collection_id = ${collectionId}`
  }${among ? sql` and ${among}` : none}`

const everything = (tenantId: string, scope: SearchScope): Sql =>
  sql`select distinct on (${family(scope)}) id, round(10000 * ${nearness(scope)})::integer as score from search_documents
    where ${within(tenantId, scope)} order by ${family(scope)}, score desc, id desc`

/**
 * Documents with all words in their heads, then, if these are few, those with the words anywhere. Ranking uses only
 * the heads, which are short: reading the tokens of each document would take a hundred times as long.
 */
function havingAll(tenantId: string, scope: SearchScope, words: Word[][]): Sql {
  const having = (mark: string) =>
    sql`select id, ${family(scope)} as family, ${nearness(scope)} as nearness, head from search_documents
      where ${within(tenantId, scope)} and tokens @@ ${allOf(words, mark)}::tsquery`
  const flat = words.flat()
  // The last word scores slightly higher as a whole word than as a prefix.
  const last = flat.filter(({ prefix }) => prefix).map(({ token }) => ({ token, prefix: false }))
  const whole = last.length > 0 ? sql`0.1 * (head @@ (select ${anyOf(last, '')}::tsquery))::integer` : sql`0`
  const rank = sql`${rankScale(words)}::float8 * ts_rank('{0.1, 0.3, 0.6, 1}', head, (select ${anyOf(flat, '')}::tsquery)) + ${whole}`
  return sql`select distinct on (family) id, score from (
      with in_head as materialized (${having(inHead(tenantId))} limit ${maxRanked}),
      anywhere as (${having(anywhere(tenantId))} and (select count(*) from in_head) < ${maxRanked} limit ${maxRanked})
      select id, family, round(10000 * nearness * least(1, 0.1 + ${rank}))::integer as score
      from (table in_head union all table anywhere) found) ranked
    order by family, score desc, id desc`
}

/**
 * `ts_rank` divides by the number of words in the query. Corrections do not count, because they change with
 * publications, and ranks must not change between pages.
 */
function rankScale(words: Word[][]): number {
  if (words.every(({ length }) => length === 1)) return 1.4
  return (0.7 * new Set(words.flat().map(({ token }) => token)).size) / words.length
}

type Sought = { in_head: string[]; anywhere: string[] }

/** The queries for each word. */
const queriesFor = (tenantId: string, words: Word[][]): Sought => ({
  in_head: words.map((alternatives) => anyOf(alternatives, inHead(tenantId))),
  anywhere: words.map((alternatives) => anyOf(alternatives, anywhere(tenantId))),
})

/**
 * The weights of the words, first in heads, then anywhere, 10,000 in total: rare words weigh more, and words in the
 * head three times as much. A word that is frequent in heads is searched only there, because finding its thousands of
 * other documents would cost more than everything else.
 */
async function weigh(db: Db, tenantId: string, scope: SearchScope, words: Word[][]): Promise<number[]> {
  const { in_head, anywhere } = queriesFor(tenantId, words)
  const hits = (query: Sql) => sql`(select count(*) from (select 1 from search_documents
      where ${within(tenantId, scope)} and tokens @@ ${query}::tsquery limit ${maxRanked}) hit)`
  const rows = await db.slowRows<{ in_head: number; anywhere: number }>(
    sql`with counted as materialized (select asked.*, ${hits(sql`asked.in_head_query`)} as in_head
        from unnest(${in_head}::text[], ${anywhere}::text[]) with ordinality as asked (in_head_query, anywhere_query, place))
      select in_head, case when in_head < ${frequentFrom} then ${hits(sql`anywhere_query`)} else 0 end as anywhere
      from counted order by place`,
    'kept',
  )
  const weights = [
    ...rows.map((row) => (row.in_head === 0 ? 0 : 3 / Math.sqrt(row.in_head))),
    ...rows.map((row) => (row.anywhere === 0 ? 0 : 1 / Math.sqrt(row.anywhere))),
  ]
  const sum = weights.reduce((total, weight) => total + weight, 0) || 1
  return weights.map((weight) => Math.round((10_000 * weight) / sum))
}

function havingAny(tenantId: string, scope: SearchScope, words: Word[][], weights: number[]): Sql {
  const { in_head, anywhere } = queriesFor(tenantId, words)
  return sql`select distinct on (family) id, score from (
      select hit.id, hit.family, least(10000, round(hit.nearness * sum(asked.weight)))::integer as score
      from unnest(${[...in_head, ...anywhere]}::text[], ${weights}::integer[]) as asked (query, weight)
        cross join lateral (select id, ${family(scope)} as family, ${nearness(scope)} as nearness from search_documents
          where ${within(tenantId, scope)} and tokens @@ asked.query::tsquery limit ${maxRanked}) hit
      where asked.weight > 0
      group by hit.id, hit.family, hit.nearness) ranked
    order by family, score desc, id desc`
}

/** For each token, the words of the environment that may have been meant. */
async function wordsMeantBy(db: Db, tenantId: string, tokens: string[]): Promise<string[][]> {
  const asked = tokens.map((token) => (isSpellable(token) && !isUnspaced(token) ? token : null))
  const queries = asked.map((token) => (token === null ? '' : similarTo(tenantId, token)))
  const rows = await db.slowRows<{ place: number; word: string }>(
    sql`select asked.place, known.word from unnest(${queries}::text[]) with ordinality as asked (query, place)
      cross join lateral (select word from search_words where tenant_id = ${tenantId} and trigrams @@ asked.query::tsquery
        order by ts_rank(trigrams, asked.query::tsquery) desc, word limit ${maxSimilarWords}) known where asked.query <> ''`,
    'kept',
  )
  const known = Map.groupBy(rows, ({ place }) => place)
  return tokens.map((token, i) => meantBy(token, known.get(i + 1)?.map(({ word }) => word) ?? []))
}

/** From this length on, the allowed edits leave two adjacent trigrams intact. */
const pairsFrom = 7

/**
 * Words that share a trigram with a word; long words must share two adjacent ones, because single ones occur in
 * thousands.
 */
function similarTo(tenantId: string, word: string): string {
  const groups = trigrams(word).map((group) => `'${anywhere(tenantId)}${group}'`)
  if (word.length < pairsFrom) return groups.join(' | ')
  return groups
    .slice(1)
    .map((group, i) => `${groups[i]} & ${group}`)
    .join(' | ')
}
