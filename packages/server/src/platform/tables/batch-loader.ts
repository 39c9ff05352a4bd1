import { Batches } from '../kernel/batches.ts'
import { mostTogether } from '../postgres/batched.ts'
import type { ById, Db, RowSource } from '../postgres/database.ts'

/** Reads rows by their ids. One statement reads all ids that requests ask for in one turn of the event loop. */
export function batchLoader(): ById {
  const batches = new WeakMap<object, Batches<string, unknown>>()

  function batchesOf(source: object): Batches<string, unknown> {
    const known = batches.get(source) ?? new Batches(mostTogether)
    batches.set(source, known)
    return known
  }

  return {
    find: <Row extends { id: string }>(source: RowSource<Row>, db: Db, tenantId: string, id: string) =>
      (batchesOf(source) as Batches<string, Row | null>).ask(tenantId, id, async (ids) => {
        const [only, ...others] = ids
        if (others.length === 0) return [await source.one(db, tenantId, only!)]
        const byId = new Map((await source.many(db, tenantId, ids)).map((row) => [row.id, row]))
        return ids.map((each) => byId.get(each) ?? null)
      }),
  }
}
