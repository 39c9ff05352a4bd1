import type { Instant } from '../kernel/clock.ts'
import { comma, join, none, Sql, sql } from '../postgres/sql.ts'
import type { Ctx, StoredResponse } from './context.ts'
import { type EventDraft, insertEvents } from './events.ts'
import { insertKeys } from './idempotency.ts'

/** A statement that takes any number of items of one tenant. */
export type Part<Item> = (tenantId: string, items: Item[]) => Sql

/**
 * `exact` and `lock` must return one row for each item; `lock` writes nothing. `first` runs before these, and may
 * return any.
 */
export type PartOfChange = { part: Part<unknown>; item: unknown; mode: 'first' | 'plain' | 'exact' | 'lock' }

/** All that a change sends. */
export type Prepared = {
  ctx: Ctx
  now: Instant
  /** Null when there is no key to keep it under. */
  response: StoredResponse | null
  parts: PartOfChange[]
  events: EventDraft[]
}

/**
 * One statement of flat CTEs for one or more changes of one environment; null when there is nothing to write. The
 * outer select divides by whether each part that must affect its rows did so, in order: the keys first, so that a
 * duplicate request fails before it has written anything (PostgreSQL runs parts that nobody reads last). A guard that
 * did not hold divides by zero, and nothing of the statement stays.
 */
export function statementOf(changes: Prepared[]): Sql | null {
  const { tenantId } = changes[0]!.ctx.env
  const [first, plain, guarded] = Array.from(
    { length: 3 },
    () => new Map<Part<unknown>, unknown[]>(),
  ) as Groups
  for (const { parts } of changes) {
    for (const { part, item, mode } of parts) {
      const group = mode === 'plain' ? plain : mode === 'first' ? first : guarded
      const items = group.get(part) ?? []
      if (mode !== 'lock' || !items.some((each) => idOf(each) === idOf(item))) items.push(item)
      group.set(part, items)
    }
  }
  const keyed = changes.filter((change) => change.response !== null)
  const events = changes.flatMap(({ ctx, now, events }) => events.map((event) => ({ ctx, now, event })))
  const writes = keyed.length > 0 || changes.some(({ parts }) => parts.some(({ mode }) => mode !== 'lock'))
  if (!writes) return null

  const ctes: Sql[] = []
  const guards: Sql[] = []
  const guard = (name: Sql, count: number) =>
    guards.push(sql` / ((select count(*) from ${name}) = ${count}::bigint)::integer`)
  if (keyed.length > 0) {
    ctes.push(
      sql`k as (${insertKeys(keyed.map(({ ctx, now, response }) => ({ ctx, now, response: response! })))})`,
    )
    guard(keyPart, keyed.length)
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
  if (events.length > 0) ctes.push(sql`e as (${insertEvents(events)})`)
  return sql`with ${join(ctes, comma)} select 1${guards.length > 0 ? join(guards, none) : none}`
}

type Groups = [first: Group, plain: Group, guarded: Group]
type Group = Map<Part<unknown>, unknown[]>

/** Several changes of a batch may lean on one row, which a statement returns once. */
const idOf = (row: unknown) => (row as { id: string }).id

/** `w0`, `w1`, … name the parts of a statement. */
const partNames = (prefix: string) => {
  const known: Sql[] = []
  return (i: number): Sql => {
    known[i] ??= new Sql([`${prefix}${i}`], [])
    return known[i]
  }
}
const keyPart = sql`k`
const firstPart = partNames('f')
const plainPart = partNames('w')
const guardedPart = partNames('g')
