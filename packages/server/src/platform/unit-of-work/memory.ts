import { LRUCache } from 'lru-cache'
import type { Db } from '../postgres/database.ts'
import { cacheOf } from '../postgres/process-state.ts'
import { rowSet } from '../postgres/row-set.ts'
import { type Sql, sql } from '../postgres/sql.ts'
import type { Change } from './change.ts'
import type { Part, PlanPart } from './plan.ts'

/*
 * Facts that writes are decided upon, and that a process remembers instead of reading them on the way. A table has a
 * generation of them for each environment, which changes whenever one of them does. A write that relies on them is
 * guarded by the generation: if it has changed, nothing is written, and the handler runs again with newer facts.
 * A refusal writes nothing, so it is never decided upon memory: `transact` runs the handler again without it. The same
 * holds for a preview.
 */

type Generation = { generation: number }
/** Facts, read when this was their generation or later. */
export type Facts<Value> = Generation & { value: Value }

const maxEnvironments = 1_000
const generations = rowSet<Generation>({ generation: ['bigint', ({ generation }) => generation] })

/** The generation of an environment's facts as an expression; 0 before the first one. */
export const generationIn = (table: Sql, tenantId: string): Sql =>
  sql`coalesce((select generation from ${table} where tenant_id = ${tenantId}), 0)`

/** The same, read now. */
export const generationNow = async (db: Db, table: Sql, tenantId: string): Promise<number> =>
  (await db.maybe<Generation>(sql`select ${generationIn(table, tenantId)} as generation`))!.generation

/** Returns a row for each of these generations that is the current one. */
export function generationIs(table: Sql): Part<Generation> {
  const guard: Part<Generation> = (tenantId, remembered) =>
    sql`select 1 from ${generations(remembered)} where v.generation = ${generationIn(table, tenantId)}`
  guards.add(guard as Part<unknown>)
  return guard
}

/** All of `generationIs`. */
const guards = new WeakSet<Part<unknown>>()

/** Returns true for a part that guards a generation which is over. Each generation is read once. */
export async function outdatedAmong(
  db: Db,
  tenantId: string,
  parts: PlanPart[],
): Promise<(part: PlanPart) => boolean> {
  const states = new Map<unknown, Map<number, Promise<boolean>>>()
  const isOver = ({ part, item }: PlanPart): Promise<boolean> | false => {
    if (!guards.has(part)) return false
    const known = states.get(part) ?? new Map<number, Promise<boolean>>()
    states.set(part, known)
    const { generation } = item as Generation
    const read = async () => (await db.rows(part(tenantId, [item]))).length === 0
    const state = known.get(generation) ?? read()
    known.set(generation, state)
    return state
  }
  const over = new Set<PlanPart>()
  await Promise.all(parts.map(async (part) => (await isOver(part)) && over.add(part)))
  return (part) => over.has(part)
}

/** Facts of environments that a process remembers. */
export type Remembered<Value> = {
  /** The facts for a write that is decided upon them. */
  for(change: Change): Promise<Facts<Value>>
  /** Forgets them when a change that raises their generation is committed. Other processes learn of it by the guard. */
  forgetAfter(change: Change): void
}

/**
 * Defines facts of environments.
 * @param table of generations
 * @param read reads the generation before the facts, or with them
 */
export function rememberFacts<Value>(
  table: Sql,
  read: (db: Db, tenantId: string) => Promise<Facts<Value>>,
): Remembered<Value> {
  const newCache = () => new LRUCache<string, Facts<Value>>({ max: maxEnvironments })
  const isCurrent = generationIs(table)
  return {
    async for(change) {
      const { db, tenantId } = change
      const cache = cacheOf(db, newCache)
      const known = change.recall(() => cache.get(tenantId))
      const facts = known ?? (await read(db, tenantId))
      if (!known) cache.set(tenantId, facts)
      change.effects.writeExpecting(isCurrent, facts)
      change.onConflict(() => cache.delete(tenantId))
      return facts
    },
    forgetAfter: ({ db, tenantId, effects }) =>
      effects.afterCommit(() => cacheOf(db, newCache).delete(tenantId)),
  }
}
