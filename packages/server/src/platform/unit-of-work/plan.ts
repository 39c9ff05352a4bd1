import { comma, join, none, Sql, sql } from '../postgres/sql.ts'
import { type EventToInsert, insertEvents, raiseHead } from './events.ts'
import { insertKeys, type KeyToStore } from './idempotency-keys.ts'

/** A statement for any number of items of one tenant. */
export type Part<Item> = (tenantId: string, items: Item[]) => Sql

/**
 * `exact` and `lock` must return one row per item; `lock` writes nothing. `first` runs before these, and may return any
 * number of rows. `plain` and `placed` return none; `placed` reads the raised head of the journal as `head`.
 */
export type PlanPart = { part: Part<unknown>; item: unknown; mode: Mode }
type Mode = 'first' | 'plain' | 'exact' | 'lock' | 'placed'

/** All writes of one change. */
export type WritePlan = {
  tenantId: string
  parts: PlanPart[]
  events: EventToInsert[]
  /** The idempotency key with the response that is stored under it; null without a key. */
  key: KeyToStore | null
}

/**
 * Compiles plans of one environment to the statements of one transaction. Plans of one group share a statement of flat
 * CTEs, which must therefore not write the same rows. The outer select divides by the result of each part, in order: a
 * guard that failed divides by zero, and the transaction is rolled back. The keys come first, so that a duplicate
 * request fails before it writes.
 *
 * The events come last, because they lock the head of the journal: its row is locked only while they are inserted and
 * the commit is flushed. Several groups share one insert of events.
 */
export function compilePlans(groups: WritePlan[][]): Sql[] {
  const parts = groups.map(ownParts)
  const journal = journalParts(groups.flat())
  const [only, ...others] = parts
  if (others.length === 0)
    return [...only!, ...journal].length === 0 ? [] : [statementOf([...only!, ...journal])]
  return [...parts, journal].filter((each) => each.length > 0).map(statementOf)
}

/** A CTE, and the condition on its number of rows. */
type Cte = { name: Sql; statement: Sql; rows: Sql }

const exactly = (count: number): Sql => sql`= ${count}::bigint`
/** Makes PostgreSQL run a CTE in its place; it would run one without a reader last. */
const any = sql`>= 0`

const statementOf = (ctes: Cte[]): Sql =>
  sql`with ${join(
    ctes.map(({ name, statement }) => sql`${name} as (${statement})`),
    comma,
  )} select 1${join(
    ctes.map(({ name, rows }) => sql` / ((select count(*) from ${name}) ${rows})::integer`),
    none,
  )}`

/** The CTEs of everything but the events; none if there is nothing to write. */
function ownParts(plans: WritePlan[]): Cte[] {
  const { tenantId } = plans[0]!
  const keys = plans.flatMap(({ key }) => (key === null ? [] : [key]))
  const writes = keys.length > 0 || plans.some(({ parts }) => parts.some(({ mode }) => mode !== 'lock'))
  if (!writes) return []
  const of = (...modes: Mode[]) => [...itemsByPart(plans, modes)]
  const key: Cte = { name: keyPart, statement: insertKeys(tenantId, keys), rows: exactly(keys.length) }
  return [
    ...(keys.length > 0 ? [key] : []),
    ...of('first').map(([part, items], i) => ({
      name: firstPart(i),
      statement: part(tenantId, items),
      rows: any,
    })),
    ...of('exact', 'lock').map(([part, items], i) => ({
      name: guardedPart(i),
      statement: part(tenantId, items),
      rows: exactly(items.length),
    })),
    ...of('plain').map(([part, items], i) => ({
      name: plainPart(i),
      statement: sql`${part(tenantId, items)} returning 1`,
      rows: any,
    })),
  ]
}

/** The CTEs that raise the head of the journal and insert events; none without events. */
function journalParts(plans: WritePlan[]): Cte[] {
  const { tenantId } = plans[0]!
  const events = plans.flatMap(({ events }) => events)
  if (events.length === 0) return []
  return [
    { name: head, statement: raiseHead(tenantId, events.length), rows: any },
    { name: eventPart, statement: sql`${insertEvents(tenantId, events)} returning 1`, rows: any },
    ...[...itemsByPart(plans, ['placed'])].map(([part, items], i) => ({
      name: placedPart(i),
      statement: sql`${part(tenantId, items)} returning 1`,
      rows: any,
    })),
  ]
}

/** The items of each part with one of these modes. A row that several plans guard is an item once. */
function itemsByPart(plans: WritePlan[], modes: Mode[]): Map<Part<unknown>, unknown[]> {
  const found = new Map<Part<unknown>, unknown[]>()
  for (const { parts } of plans) {
    for (const { part, item, mode } of parts) {
      if (!modes.includes(mode)) continue
      const items = found.get(part) ?? []
      if (mode !== 'lock' || !items.some((each) => idOf(each) === idOf(item))) items.push(item)
      found.set(part, items)
    }
  }
  return found
}

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
const guardedPart = partNames('g')
const plainPart = partNames('w')
const head = sql`head`
const eventPart = sql`e`
const placedPart = partNames('p')
