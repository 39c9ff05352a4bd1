import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { addSearches, type SearchCounts, trimSearches } from './queries.ts'

declare module '../../../../platform/unit-of-work/context.ts' {
  interface Services {
    searchTally: SearchTally
  }
}

export type Kind = 'article' | 'faq'

export type Search = {
  kind: Kind
  query: string
  /** Empty if the request had none. */
  locale: string
  /** The end user or key that searched. */
  caller: string
  hasFound: boolean
  at: Instant
}

/** Fields search while somebody types: a query that continues the one before in this time replaces it. */
const typingMs = 3_000
/** A query that is searched all the time is written at the latest after this time. */
const longestMs = 10_000
/** Further queries are not counted until these are written. They bound the memory, and what a flood can write. */
const maxPerEnvironment = 100
const maxEnvironments = 500
/** The number of queries that an environment keeps. */
const maxKept = 10_000
/** Rows above that number are removed after this many writes, which is a minute. */
const trimEvery = 12

/** Times are by the monotonic clock. */
type Tallied = SearchCounts & {
  /** The last search of each kind, until it is continued. */
  last: Record<Kind, { caller: string; hasFound: boolean; ms: number } | null>
  /** The times of the last and the first search of any kind. */
  lastMs: number
  firstMs: number
}

/** Counts searches of this process until they are written. */
export class SearchTally {
  readonly #environments = new Map<string, Map<string, Tallied>>()
  /** The environments with new rows since rows above the limit were removed. */
  readonly #grown = new Set<string>()
  /** The last write of each environment that is under way. */
  readonly #writing = new Map<string, Promise<void>>()
  readonly #nowMs: () => number
  #writes = 0

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  note(tenantId: string, search: Search): void {
    const nowMs = this.#nowMs()
    const known = this.#environments.get(tenantId)
    if (!known && this.#environments.size >= maxEnvironments) return
    const tallied = known ?? new Map<string, Tallied>()
    this.#replaceContinued(tallied, search, nowMs)
    const { kind, query, locale, caller, hasFound, at } = search
    const key = keyOf(search)
    const counts = tallied.get(key) ?? none(query, locale, at, nowMs)
    if (!tallied.has(key) && tallied.size >= maxPerEnvironment) return
    counts[`${kind}_searches`]++
    if (hasFound) counts[`${kind}_found`]++
    if (at > counts.last_searched_at) counts.last_searched_at = at
    if (hasFound && at > (counts.last_found_at ?? '')) counts.last_found_at = at
    counts.last[kind] = { caller, hasFound, ms: nowMs }
    counts.lastMs = nowMs
    tallied.set(key, counts)
    this.#environments.set(tenantId, tallied)
  }

  /** Writes what was counted in all environments; the last seconds, which may be continued, only if `isStopping`. */
  async write(db: Db, isStopping: boolean): Promise<void> {
    const nowMs = isStopping ? Number.POSITIVE_INFINITY : this.#nowMs()
    const faults: unknown[] = []
    for (const tenantId of [...this.#environments.keys()])
      await this.#flush(db.home(tenantId), tenantId, nowMs).catch((error) => faults.push(error))
    if (++this.#writes % trimEvery === 0) {
      const grown = [...this.#grown]
      this.#grown.clear()
      for (const tenantId of grown)
        await trimSearches(db.home(tenantId), tenantId, maxKept).catch((error) => faults.push(error))
    }
    if (faults.length > 0) throw faults[0]
  }

  /** Writes all that was counted in an environment. */
  flush(db: Db, tenantId: string): Promise<void> {
    return this.#flush(db, tenantId, Number.POSITIVE_INFINITY)
  }

  /** One write after the other, so that who waits for one finds what was counted before. */
  #flush(db: Db, tenantId: string, nowMs: number): Promise<void> {
    const before = this.#writing.get(tenantId) ?? Promise.resolve()
    const own = before.catch(() => undefined).then(() => this.#writeDue(db, tenantId, nowMs))
    this.#writing.set(tenantId, own)
    const forget = () => {
      if (this.#writing.get(tenantId) === own) this.#writing.delete(tenantId)
    }
    own.then(forget, forget)
    return own
  }

  /** @throws the error of a write that failed; the next one includes what was counted */
  async #writeDue(db: Db, tenantId: string, nowMs: number): Promise<void> {
    const due = [...(this.#environments.get(tenantId) ?? [])].filter(([, counts]) => isDue(counts, nowMs))
    if (due.length === 0) return
    for (const [key] of due) this.#remove(tenantId, key)
    const counts = due.map(([, each]) => each)
    this.#grown.add(tenantId)
    try {
      await addSearches(db, tenantId, counts)
    } catch (error) {
      this.#restore(tenantId, due)
      throw error
    }
  }

  /** Adds counts that were not written to those of the searches since then, within the same limits. */
  #restore(tenantId: string, unwritten: [string, Tallied][]): void {
    const known = this.#environments.get(tenantId)
    if (!known && this.#environments.size >= maxEnvironments) return
    const tallied = known ?? new Map<string, Tallied>()
    this.#environments.set(tenantId, tallied)
    for (const [key, counts] of unwritten) {
      const newer = tallied.get(key)
      if (newer) addCounts(newer, counts)
      else if (tallied.size < maxPerEnvironment) tallied.set(key, counts)
    }
  }

  #remove(tenantId: string, key: string): void {
    const tallied = this.#environments.get(tenantId)
    tallied?.delete(key)
    if (tallied?.size === 0) this.#environments.delete(tenantId)
  }

  /** Takes back a search whose query is the beginning of this one, by the same caller some moments ago. */
  #replaceContinued(tallied: Map<string, Tallied>, search: Search, nowMs: number): void {
    const { query, locale, kind, caller } = search
    for (let length = query.length - 1; length > 0; length--) {
      const key = keyOf({ query: query.slice(0, length).trimEnd(), locale })
      const counts = tallied.get(key)
      const last = counts?.last[kind]
      if (!last || last.caller !== caller || nowMs - last.ms > typingMs) continue
      counts[`${kind}_searches`]--
      if (last.hasFound) counts[`${kind}_found`]--
      counts.last[kind] = null
      if (counts.article_searches === 0 && counts.faq_searches === 0) tallied.delete(key)
      return
    }
  }
}

const keyOf = ({ query, locale }: Pick<Search, 'query' | 'locale'>) => `${locale} ${query}`

const isDue = ({ lastMs, firstMs }: Tallied, nowMs: number): boolean =>
  lastMs + typingMs <= nowMs || firstMs + longestMs <= nowMs

const none = (query: string, locale: string, at: Instant, nowMs: number): Tallied => ({
  query,
  locale,
  article_searches: 0,
  article_found: 0,
  faq_searches: 0,
  faq_found: 0,
  last_searched_at: at,
  last_found_at: null,
  last: { article: null, faq: null },
  lastMs: nowMs,
  firstMs: nowMs,
})

function addCounts(counts: Tallied, older: Tallied): void {
  for (const kind of ['article', 'faq'] as const) {
    counts[`${kind}_searches`] += older[`${kind}_searches`]
    counts[`${kind}_found`] += older[`${kind}_found`]
  }
  if (older.last_searched_at > counts.last_searched_at) counts.last_searched_at = older.last_searched_at
  if ((older.last_found_at ?? '') > (counts.last_found_at ?? '')) counts.last_found_at = older.last_found_at
  counts.firstMs = Math.min(counts.firstMs, older.firstMs)
}
