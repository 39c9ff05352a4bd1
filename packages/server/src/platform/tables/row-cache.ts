import { LRUCache } from 'lru-cache'
import type { Db, Head, Pages, RowSource } from '../postgres/database.ts'

/*
 * Most rows of a page are unchanged since a page with them was read before. So the heads of a page are read first: ids,
 * versions, and what may change without the version. Rows whose heads are known are not read again, because a version
 * names one content (docs/adr/0023-pages-are-read-by-versions.md).
 */

/** Characters of rows as JSON, which take 15 MB for a table: a usual row has 1,700, and takes 3.5 kB with its text. */
const maxCharacters = 6_000_000
/** A row with much metadata or a long SLA schedule would drive out many others. */
const maxCharactersOfRow = 16_000

type Cached = { tenantId: string; head: string; row: object; size: number }

/** A row that will be shown again, with its JSON. A copy of it, such as one with changes, has none. */
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

  /** After a lost connection another server may answer, whose versions are not those that the former one had. */
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

  /** Null when a row was changed or removed after its head was read: then the page has to be read whole. */
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
