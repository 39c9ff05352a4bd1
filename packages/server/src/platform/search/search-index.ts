import { type Sql, sql } from '../postgres/sql.ts'
import type { Change } from '../unit-of-work/change.ts'
import { isSpellable, trigrams } from './misspellings.ts'
import { isUnspaced, searchTokens, tokenCounts } from './search-text.ts'

/** The kinds of searchable documents. */
/** The type of the rows that documents are of. */
export type SearchKind = string

export type SearchDocument = {
  kind: SearchKind
  id: string
  /** Shared by the translations of one document. */
  family_id: string
  locale_key: string
  collection_id: string | null
  title: string
  summary: string
  text: string
}

/** Words that occur this often in a text characterize it. */
const oftenFrom = 3
const maxOften = 15
const maxWords = 2_000
/** The ranked vector of a document is stored uncompressed in the row, which has up to 8 KB. */
const maxHeadBytes = 4_000
/** Size of an entry in addition to its characters. */
const entryBytes = 12
/** For matches beyond this length, snippets show the beginning. */
const maxShownText = 10_000

/** The prefix of each token. One index serves all environments, and each finds only its own entries. */
export const anywhere = (tenantId: string) => `${tenantId.slice(-6)}:`
export const inHead = (tenantId: string) => `${tenantId.slice(-6)}^`

/** Makes a document searchable. */
export function indexDocument(change: Change, document: SearchDocument): void {
  const { kind, id, family_id, locale_key, collection_id, title, summary, text } = document
  const { tenantId } = change
  const counts = tokenCounts(text)
  const [inTitle, inSummary] = [searchTokens(title), searchTokens(summary)]
  const head = [...new Set([...inTitle, ...inSummary])]
  const all = [...new Set([...head, ...counts.keys()])]
  const tokens = [
    ...all.map((token) => anywhere(tenantId) + token),
    ...head.map((token) => inHead(tenantId) + token),
  ]
  const weighted = joined([...weigh(inTitle, 'A'), ...weigh(inSummary, 'B'), ...weigh(often(counts), 'C')])
  change.effects.write(sql`insert into search_documents (tenant_id, kind, id, family_id, locale_key, collection_id, head, tokens, text)
    values (${tenantId}, ${kind}, ${id}, ${family_id}, ${locale_key}, ${collection_id}, ${weighted}::tsvector,
      array_to_tsvector(${tokens}::text[]), ${text.slice(0, maxShownText).toWellFormed()})
    on conflict (tenant_id, kind, id) do update set family_id = excluded.family_id, locale_key = excluded.locale_key,
      collection_id = excluded.collection_id, head = excluded.head, tokens = excluded.tokens, text = excluded.text`)
  const words = all.filter((token) => isSpellable(token) && !isUnspaced(token)).slice(0, maxWords)
  for (const word of words) change.effects.writeBatched(insertWords, word)
}

export function forgetDocument(change: Change, kind: SearchKind, id: string): void {
  change.effects.write(
    sql`delete from search_documents where tenant_id = ${change.tenantId} and kind = ${kind} and id = ${id}`,
  )
}

/**
 * Inserts all words of a batch in one order, so that concurrent statements with the same new words do not deadlock.
 */
function insertWords(tenantId: string, all: string[]): Sql {
  const words = [...new Set(all)]
  return sql`insert into search_words (tenant_id, word, trigrams)
    select ${tenantId}::uuid, word, array_to_tsvector(string_to_array(trigrams, ' '))
    from unnest(${words}::text[], ${words.map((word) => marked(tenantId, trigrams(word)))}::text[]) as v (word, trigrams)
    order by word on conflict (tenant_id, word) do nothing`
}

const marked = (tenantId: string, groups: string[]): string =>
  groups.map((group) => anywhere(tenantId) + group).join(' ')

const often = (counts: Map<string, number>): string[] =>
  [...counts]
    .filter(([, count]) => count >= oftenFrom)
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxOften)
    .map(([token]) => token)

/** Tokens consist of letters, digits and marks, so quoting needs no escapes. */
const weigh = (tokens: string[], weight: 'A' | 'B' | 'C'): string[] =>
  tokens.map((token, i) => `'${token}':${i + 1}${weight}`)

/** Joins the first entries that fit into a head. */
function joined(entries: string[]): string {
  let bytes = 0
  const end = entries.findIndex((entry) => {
    bytes += Buffer.byteLength(entry) + entryBytes
    return bytes > maxHeadBytes
  })
  return entries.slice(0, end < 0 ? entries.length : end).join(' ')
}
