import { comma, join, none, Sql, sql } from '../postgres/sql.ts'
import { type EventToInsert, insertEvents } from './events.ts'
import { insertKeys, type KeyToStore } from './idempotency-keys.ts'

/** A statement for any number of items of one tenant. */
export type Part<Item> = (tenantId: string, items: Item[]) => Sql

/**
 * `exact` and `lock` must return one row per item; `lock` writes nothing. `first` runs before these, and may return any
 * number of rows.
 */
export type PlanPart = { part: Part<unknown>; item: unknown; mode: 'first' | 'plain' | 'exact' | 'lock' }

/** All writes of one transaction. */
export type WritePlan = {
  tenantId: string
  parts: PlanPart[]
  events: EventToInsert[]
  /** The idempotency key with the response that is stored under it; null without a key. */
  key: KeyToStore | null
}

/**
 * Compiles plans of one environment to one statement of flat CTEs; null if there is nothing to write. The outer select
 * divides by the result of each guard, in order: a guard that failed divides by zero, and the statement is rolled back.
 * The keys come first, so that a duplicate request fails before it writes. PostgreSQL runs CTEs without readers last.
 */
export function compilePlans(plans: WritePlan[]): Sql | null {
  const { tenantId } = plans[0]!
  const [first, plain, guarded] = [new Map(), new Map(), new Map()] as [Group, Group, Group]
  for (const { parts } of plans) {
    for (const { part, item, mode } of parts) {
      const group = mode === 'plain' ? plain : mode === 'first' ? first : guarded
      const items = group.get(part) ?? []
      if (mode !== 'lock' || !items.some((each) => idOf(each) === idOf(item))) items.push(item)
      group.set(part, items)
    }
  }
  const keys = plans.flatMap(({ key }) => (key === null ? [] : [key]))
  const events = plans.flatMap(({ events }) => events)
  const writes = keys.length > 0 || plans.some(({ parts }) => parts.some(({ mode }) => mode !== 'lock'))
  if (!writes) return null

  const ctes: Sql[] = []
  const guards: Sql[] = []
  const guard = (name: Sql, count: number) =>
    guards.push(sql` / ((select count(*) from ${name}) = ${count}::bigint)::integer`)
  if (keys.length > 0) {
    ctes.push(sql`k as (${insertKeys(tenantId, keys)})`)
    guard(keyPart, keys.length)
  }
  for (const [i, [part, items]] of [...first].entries()) {
    ctes.push(sql`${firstPart(i)} as (${part(tenantId, items)})`)
    guards.push(sql` / ((select count(*) from ${firstPart(i)}) >= 0)::integer`)
  }
  for (const [i, [part, items]] of [...plain].entries())
    ctes.push(sql`${plainPart(i)} as (${part(tenantId, items)})`)
  for (const [i, [part, items]] of [...guarded].entries()) {
    ctes.push(sql`${guardedPart(i)} as (${part(tenantId, items)})`)
    guard(guardedPart(i), items.length)
  }
  if (events.length > 0) ctes.push(sql`e as (${insertEvents(tenantId, events)})`)
  return sql`with ${join(ctes, comma)} select 1${guards.length > 0 ? join(guards, none) : none}`
}

type Group = Map<Part<unknown>, unknown[]>

/** Several plans may guard one row, which a statement returns once. */
const idOf = (row: unknown) => (row as { id: string }).id

/** Names the parts of a statement `w0`, `w1`, …. */
const partNames = (prefix: string) => {
  const names: Sql[] = []
  return (i: number): Sql => {
    names[i] ??= new Sql([`${prefix}${i}`], [])
    return names[i]
  }
}
const keyPart = sql`k`
const firstPart = partNames('f')
const plainPart = partNames('w')
const guardedPart = partNames('g')
