import { LRUCache } from 'lru-cache'
import type { Db } from '../postgres/database.ts'

/*
 * Most rows of a page are as they were when one was read before. So a page is first asked for heads: ids, versions, and what may change
 * without the version. Rows whose head is known are not read again: a version names one content (ADR 23).
 */

export type Head = { id: string; version: number } & Record<string, unknown>

/** Characters of rows as JSON, which take 15 MB: a usual row has 1,700, and takes 3.5 kB with its text. */
const maxRemembered = 6_000_000
/** A row with much metadata or a long SLA schedule would drive out many others. */
const mostOfRow = 16_000

type Known<Row> = { tenantId: string; head: string; row: Row; size: number }

/** A row that will be shown again, with its JSON text. A copy of it, such as one with changes, has none. */
class RememberedRow {
  #text: string | null = null

  static textOf = (row: object): string | null => (#text in row ? row.#text : null)
  static setText(row: object, text: string): void {
    if (#text in row) row.#text = text
  }
}

/** The text that was kept with this very object. */
export const { textOf } = RememberedRow
/** Keeps it, if the row is one that is remembered. */
export const keepText = RememberedRow.setText

/**
 * Makes a reader of rows by their heads.
 * @returns null when a row was changed or removed after its head was read: then the page has to be read whole
 */
export function rowCache<Row extends { id: string; version: number }>(
  findMany: (db: Db, tenantId: string, ids: string[]) => Promise<Row[]>,
): (db: Db, tenantId: string, heads: Head[]) => Promise<Row[] | null> {
  const memories = new WeakMap<Db, { losses: number; rows: LRUCache<string, Known<Row>> }>()

  /** After a lost connection another server may answer, whose versions are not those that this one had. */
  function rowsOf(db: Db) {
    let known = memories.get(db)
    if (known?.losses !== db.losses()) {
      const rows = new LRUCache<string, Known<Row>>({
        maxSize: maxRemembered,
        sizeCalculation: ({ size }) => size,
      })
      known = { losses: db.losses(), rows }
      memories.set(db, known)
    }
    return known.rows
  }

  return async (db, tenantId, heads) => {
    const rows = rowsOf(db)
    const asked = heads.map((head) => ({ head, text: JSON.stringify(head) }))
    const known = asked.map(({ head, text }) => {
      const found = rows.get(head.id)
      return found?.tenantId === tenantId && found.head === text ? found.row : null
    })
    const unknown = heads.filter((_, i) => known[i] === null)
    if (unknown.length === 0) return known as Row[]
    const read = await findMany(
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
      if (size > mostOfRow) return row
      const remembered: Row = Object.assign(new RememberedRow(), row)
      rows.set(row.id, { tenantId, head: text, row: remembered, size })
      return remembered
    })
  }
}
