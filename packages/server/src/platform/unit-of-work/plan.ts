import { comma, join, none, Sql, sql } from '../postgres/sql.ts'
import { type EventToInsert, insertEvents, keepPosition, raiseHead } from './events.ts'
import { type Form, separate, together } from './form.ts'
import { insertKeys, type KeyToStore } from './idempotency-keys.ts'

/** A statement for any number of items of one tenant. */
export type Part<Item> = (tenantId: string, items: Item[], form: Form) => Sql

/**
 * `exact` and `lock` must return one row per item; `lock` writes nothing. `first` runs before these, and may return any
 * number of rows. `plain` and `placed` return none; `placed` runs after the events have their positions.
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

/** A statement of a transaction, and the index of the group of plans that it belongs to; null for all of them. */
export type Compiled = { statement: Sql; group: number | null }

/**
 * Compiles plans of one environment to the statements of one transaction. Plans of one group share statements, which
 * must therefore not write the same rows. The keys come first, so that a duplicate request fails before it writes.
 *
 * The events come last, because they lock the head of the journal: its row is locked only while they are inserted and
 * the commit is flushed. They are inserted for all groups together.
 * @param splits true if each part is a statement of its own: Citus plans a statement with CTEs in many steps
 */
export function compilePlans(groups: WritePlan[][], splits = false): Compiled[] {
  const all = groups.flat()
  if (splits)
    return [
      ...groups.flatMap((plans, group) =>
        ownSteps(plans, separate).map((step) => ({ statement: aloneOf(step), group })),
      ),
      ...journalSteps(all, separate).map((step) => ({ statement: aloneOf(step), group: null })),
    ]
  const journal = journalSteps(all, together)
  const [first, ...others] = groups.map((plans) => ownSteps(plans, together))
  const steps = others.length === 0 ? [[...first!, ...journal]] : [first!, ...others, journal]
  return steps.flatMap((ctes, i) =>
    ctes.length === 0 ? [] : [{ statement: joinedOf(ctes), group: i < groups.length ? i : null }],
  )
}

/** A part with its statement. A guard fails unless it returns this number of rows; null is no guard. */
type Step = { name: Sql; statement: Sql; returns: boolean; guard: number | null }

/**
 * Joins steps to a statement of flat CTEs. The outer select divides by the result of each, in order: a guard that
 * failed divides by zero, and the transaction is rolled back. PostgreSQL would run a CTE without a reader last.
 */
const joinedOf = (steps: Step[]): Sql =>
  sql`with ${join(
    steps.map((step) => sql`${step.name} as (${returning(step)})`),
    comma,
  )} select 1${join(
    steps.map(({ name, guard }) =>
      guard === null
        ? sql` / ((select count(*) from ${name}) >= 0)::integer`
        : sql` / ((select count(*) from ${name}) = ${guard}::bigint)::integer`,
    ),
    none,
  )}`

const aloneOf = (step: Step): Sql => (step.guard === null ? returning(step) : joinedOf([step]))

const returning = ({ statement, returns }: Step): Sql => (returns ? statement : sql`${statement} returning 1`)

/** The steps of everything but the events; none if there is nothing to write. */
function ownSteps(plans: WritePlan[], form: Form): Step[] {
  const { tenantId } = plans[0]!
  const keys = plans.flatMap(({ key }) => (key === null ? [] : [key]))
  const writes = keys.length > 0 || plans.some(({ parts }) => parts.some(({ mode }) => mode !== 'lock'))
  if (!writes) return []
  const steps = (name: (i: number) => Sql, ...modes: Mode[]) =>
    [...itemsByPart(plans, modes)].map(([part, items], i) => ({
      name: name(i),
      statement: part(tenantId, items, form),
      items: items.length,
    }))
  const guarded = steps(guardedPart, 'exact', 'lock').map((step) => ({
    ...step,
    returns: true,
    guard: step.items,
  }))
  // The checks of foreign keys run after each statement: rows are inserted, and others cleared away, before rows that
  // refer to them are updated, and rows that they refer to are deleted.
  const plain = steps(plainPart, 'plain').map((step) => ({ ...step, returns: false, guard: null }))
  return [
    ...(keys.length > 0
      ? [{ name: keyPart, statement: insertKeys(tenantId, keys, form), returns: false, guard: null }]
      : []),
    ...steps(firstPart, 'first').map((step) => ({ ...step, returns: true, guard: null })),
    ...(form === together ? [...guarded, ...plain] : [...plain, ...guarded]),
  ]
}

/** The steps that raise the head of the journal and insert events; none without events. */
function journalSteps(plans: WritePlan[], form: Form): Step[] {
  const { tenantId } = plans[0]!
  const events = plans.flatMap(({ events }) => events)
  if (events.length === 0) return []
  const [raise, ...others] = form === together ? [raiseHead] : [raiseHead, keepPosition]
  return [
    {
      name: head,
      statement: raise!(tenantId, events.length),
      returns: true,
      guard: form === together ? 1 : null,
    },
    ...others.map((keep) => ({ name: head, statement: keep(tenantId), returns: true, guard: null })),
    { name: eventPart, statement: insertEvents(tenantId, events, form), returns: false, guard: null },
    ...[...itemsByPart(plans, ['placed'])].map(([part, items], i) => ({
      name: placedPart(i),
      statement: part(tenantId, items, form),
      returns: false,
      guard: null,
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
