import { LRUCache } from 'lru-cache'
import type { Db, Head, Pages, RowSource } from '../postgres/database.ts'

/*
 * Most rows of a page are unchanged since an earlier page contained them. So the heads of a page are read first: ids,
 * versions, and columns that may change without the version. Rows with known heads are not read again, because a
 * version identifies one content (docs/adr/0023-pages-are-read-by-versions.md).
 */

/** The maximum size of a table's cache in characters of JSON, about 15 MB. A usual row has 1,700 and takes 3.5 kB. */
const maxCharacters = 6_000_000
/** The maximum size of a cached row. A row with much metadata or a long SLA schedule would evict many others. */
const maxCharactersOfRow = 16_000

type Cached = { tenantId: string; head: string; row: object; size: number }

/** A cached row, with its JSON once it has been serialized. A copy of it, for example with changes, has no JSON. */
class CachedRow {
  #json: string | null = null

  static jsonOf = (row: object): string | null => (#json in row ? row.#json : null)
  static keepJson(row: object, json: string): void {
    if (#json in row) row.#json = json
  }
}

export function rowCache(): Pages {
  const tables = new Map<object, LRUCache<string, Cached>>()
  let losses = 0

  /**
   * Clears the cache after a lost connection: another server may answer, with different rows under the same versions.
   */
  function rowsOf(source: object, db: Db): LRUCache<string, Cached> {
    if (losses !== db.losses()) {
      losses = db.losses()
      tables.clear()
    }
    let rows = tables.get(source)
    if (!rows) {
      rows = new LRUCache({ maxSize: maxCharacters, sizeCalculation: ({ size }) => size })
      tables.set(source, rows)
    }
    return rows
  }

  /** Returns null if a row was changed or removed after its head was read; the page must then be read as a whole. */
  async function byHeads<Row extends { id: string; version: number }>(
    source: RowSource<Row>,
    db: Db,
    tenantId: string,
    heads: Head[],
  ): Promise<Row[] | null> {
    const cache = rowsOf(source, db)
    const asked = heads.map((head) => ({ head, text: JSON.stringify(head) }))
    const known = asked.map(({ head, text }) => {
      const found = cache.get(head.id)
      return found?.tenantId === tenantId && found.head === text ? (found.row as Row) : null
    })
    const unknown = heads.filter((_, i) => known[i] === null)
    if (unknown.length === 0) return known as Row[]
    const read = await source.many(
      db,
      tenantId,
      unknown.map(({ id }) => id),
    )
    const byId = new Map(read.map((row) => [row.id, row]))
    if (unknown.some(({ id, version }) => byId.get(id)?.version !== version)) return null
    return asked.map(({ head, text }, i) => {
      if (known[i]) return known[i]
      const row = { ...byId.get(head.id)!, ...head }
      const size = JSON.stringify(row).length
      if (size > maxCharactersOfRow) return row
      const cached: Row = Object.assign(new CachedRow(), row)
      cache.set(row.id, { tenantId, head: text, row: cached, size })
      return cached
    })
  }

  return {
    page: async (source, db, tenantId, { heads, rows }) =>
      (await byHeads(source, db, tenantId, await heads())) ?? (await rows()),
    json(wire, row, now) {
      const known = wire.isTimeless && CachedRow.jsonOf(row)
      if (known) return known
      const json = wire.json(row, now)
      if (wire.isTimeless?.(row)) CachedRow.keepJson(row, json)
      return json
    },
  }
}
