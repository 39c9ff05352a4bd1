import type { ById, Db, RowSource } from '../postgres/database.ts'

type Waiting = { resolve(row: unknown): void; reject(error: unknown): void }
/** The requests that wait for each row, by its id. */
type Batch = Map<string, Waiting[]>

/** A larger result would occupy the connection, and this process, for too long. */
const maxIds = 64

/**
 * Reads rows by their ids. One statement reads all ids that requests ask for in one turn of the event loop. It starts
 * after they ask, so each request reads rows as current as with a statement of its own.
 */
export function batchLoader(): ById {
  /** The open batch of each table and environment. */
  const filling = new Map<object, Map<string, Batch>>()

  async function read<Row extends { id: string }>(
    source: RowSource<Row>,
    db: Db,
    tenantId: string,
    batch: Batch,
  ): Promise<void> {
    try {
      const [only, ...others] = batch.keys()
      const rows =
        others.length > 0
          ? await source.many(db, tenantId, [...batch.keys()])
          : [await source.one(db, tenantId, only!)]
      const byId = new Map(rows.map((row) => [row?.id, row]))
      for (const [id, waiting] of batch) for (const { resolve } of waiting) resolve(byId.get(id) ?? null)
    } catch (error) {
      for (const waiting of batch.values()) for (const { reject } of waiting) reject(error)
    }
  }

  return {
    find: <Row extends { id: string }>(source: RowSource<Row>, db: Db, tenantId: string, id: string) =>
      new Promise<Row | null>((resolve, reject) => {
        const tenants = filling.get(source) ?? new Map<string, Batch>()
        filling.set(source, tenants)
        let batch = tenants.get(tenantId)
        if (!batch || batch.size === maxIds) {
          const next: Batch = new Map()
          tenants.set(tenantId, next)
          setImmediate(() => {
            if (tenants.get(tenantId) === next) tenants.delete(tenantId)
            void read(source, db, tenantId, next)
          })
          batch = next
        }
        const waiting = { resolve: resolve as (row: unknown) => void, reject }
        const others = batch.get(id)
        if (others) others.push(waiting)
        else batch.set(id, [waiting])
      }),
  }
}
