import type { Db } from './database.ts'

/*
 * Pages of a list are read over and over, and most rows of theirs are as they were. So a page is asked for what tells its
 * rows apart, and only rows that are not known so are read whole. Nothing that is shown is older than the page: each change
 * of a row raises its version, so one version has one content.
 */

/** What a page is asked for: ids, versions, and what rows have from other tables, which may change without them. */
export type Head = { id: string; version: number }

/** So many rows of a table are kept at least, and up to twice as many, some 2 kB each. */
const leastKept = 2_000

type Entry<Row> = { tenantId: string; head: string; row: Row }

const keptRows = new WeakSet<object>()

/** Will this very object be shown again, as long as nothing changes? */
export const isKept = (row: object): boolean => keptRows.has(row)

/**
 * Makes a reader of rows by their heads.
 * @returns null when a row was changed or removed after its head was read: then the page has to be read whole
 */
export function keeping<Row extends Head>(
  findMany: (db: Db, tenantId: string, ids: string[]) => Promise<Row[]>,
): (db: Db, tenantId: string, heads: Head[]) => Promise<Row[] | null> {
  const databases = new WeakMap<Db, Kept<Row>>()

  return async (db, tenantId, heads) => {
    const kept = databases.get(db) ?? new Kept<Row>()
    databases.set(db, kept)
    const known = heads.map((head) => kept.find(tenantId, head))
    const unknown = heads.filter((_, i) => known[i] === null)
    if (unknown.length === 0) return known as Row[]
    const read = await findMany(
      db,
      tenantId,
      unknown.map(({ id }) => id),
    )
    const byId = new Map(read.map((row) => [row.id, row]))
    if (unknown.some(({ id, version }) => byId.get(id)?.version !== version)) return null
    return heads.map((head, i) => known[i] ?? kept.keep(tenantId, head, { ...byId.get(head.id)!, ...head }))
  }
}

/** Two generations of rows by their ids: what was not asked for while one was filled goes with it. */
class Kept<Row extends Head> {
  #rows = new Map<string, Entry<Row>>()
  #before = new Map<string, Entry<Row>>()

  find(tenantId: string, head: Head): Row | null {
    const entry = this.#rows.get(head.id) ?? this.#before.get(head.id)
    if (entry?.tenantId !== tenantId || entry.head !== JSON.stringify(head)) return null
    this.#put(entry)
    return entry.row
  }

  keep(tenantId: string, head: Head, row: Row): Row {
    keptRows.add(row)
    this.#put({ tenantId, head: JSON.stringify(head), row })
    return row
  }

  #put(entry: Entry<Row>): void {
    this.#rows.set(entry.row.id, entry)
    if (this.#rows.size >= leastKept) [this.#rows, this.#before] = [new Map(), this.#rows]
  }
}
