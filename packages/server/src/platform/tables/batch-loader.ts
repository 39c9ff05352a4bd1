import type { Db } from '../postgres/database.ts'

type Waiting<Row> = { resolve(row: Row | null): void; reject(error: unknown): void }
/** Who waits for which row, by its id. */
type Asked<Row> = Map<string, Waiting<Row>[]>

/** A longer answer would keep the connection, and this process, from others for too long. */
const mostTogether = 64

/**
 * Reads rows by their ids: those that are asked for in one turn of the event loop, by different requests, as one
 * statement. All of them then see a state of after they have asked, as each would alone.
 */
export function batchLoader<Row extends { id: string }>(
  one: (db: Db, tenantId: string, id: string) => Promise<Row | null>,
  many: (db: Db, tenantId: string, ids: string[]) => Promise<Row[]>,
): (db: Db, tenantId: string, id: string) => Promise<Row | null> {
  const lists = new WeakMap<Db, Map<string, Asked<Row>>>()

  async function read(db: Db, tenantId: string, asked: Asked<Row>): Promise<void> {
    try {
      const [only, ...others] = asked.keys()
      const rows =
        others.length > 0 ? await many(db, tenantId, [...asked.keys()]) : [await one(db, tenantId, only!)]
      const found = new Map(rows.map((row) => [row?.id, row]))
      for (const [id, waiting] of asked) for (const { resolve } of waiting) resolve(found.get(id) ?? null)
    } catch (error) {
      for (const waiting of asked.values()) for (const { reject } of waiting) reject(error)
    }
  }

  return (db, tenantId, id) =>
    new Promise((resolve, reject) => {
      const tenants = lists.get(db) ?? new Map<string, Asked<Row>>()
      lists.set(db, tenants)
      let asked = tenants.get(tenantId)
      if (!asked || asked.size === mostTogether) {
        const next: Asked<Row> = new Map()
        tenants.set(tenantId, next)
        setImmediate(() => {
          if (tenants.get(tenantId) === next) tenants.delete(tenantId)
          void read(db, tenantId, next)
        })
        asked = next
      }
      const waiting = asked.get(id)
      if (waiting) waiting.push({ resolve, reject })
      else asked.set(id, [{ resolve, reject }])
    })
}
