import { LRUCache } from 'lru-cache'
import type { Db } from '../postgres/database.ts'
import { cacheOf } from '../postgres/process-state.ts'
import { rowSet } from '../postgres/row-set.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import type { Change } from './change.ts'
import type { Part } from './plan.ts'

/*
 * Facts that writes are decided upon, and that a process remembers instead of reading them on the way. A table has a
 * generation of them for each environment, which changes whenever one of them does. A write that relies on them is
 * guarded by the generation: if it has changed, nothing is written, and the handler runs again with newer facts.
 * A refusal writes nothing, so it is never decided upon memory: `transact` runs the handler again without it.
 */

type Generation = { generation: number }
/** Facts, read when this was their generation or later. */
export type Facts<Value> = Generation & { value: Value }

const maxEnvironments = 1_000
const generations = rowSet<Generation>({ generation: ['bigint', ({ generation }) => generation] })

/** The generation of an environment's facts as an expression; 0 before the first one. */
export const generationIn = (table: Sql, tenantId: string): Sql =>
  sql`coalesce((select generation from ${table} where tenant_id = ${tenantId}), 0)`

export const generationNow = async (db: Db, table: Sql, tenantId: string): Promise<number> =>
  (await db.maybe<Generation>(sql`select ${generationIn(table, tenantId)} as generation`))!.generation

/** Returns a row for each of these generations that is the current one. */
export const generationIs =
  (table: Sql): Part<Generation> =>
  (tenantId, remembered) =>
    sql`select 1 from ${generations(remembered)} where v.generation = ${generationIn(table, tenantId)}`

/**
 * Defines facts of environments.
 * @param table of generations
 * @param read reads the generation before the facts, or with them
 */
export function rememberFacts<Value>(
  table: Sql,
  read: (db: Db, tenantId: string) => Promise<Facts<Value>>,
): (change: Change) => Promise<Facts<Value>> {
  const newCache = () => new LRUCache<string, Facts<Value>>({ max: maxEnvironments })
  const isCurrent = generationIs(table)
  return async (change) => {
    const { db, tenantId } = change
    const cache = cacheOf(db, newCache)
    const known = change.recall(() => cache.get(tenantId))
    const facts = known ?? (await read(db, tenantId))
    if (!known) cache.set(tenantId, facts)
    change.effects.writeExpecting(isCurrent, facts)
    change.onConflict(() => cache.delete(tenantId))
    return facts
  }
}
