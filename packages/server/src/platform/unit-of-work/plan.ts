import { comma, join, none, Sql, sql } from '../postgres/sql.ts'
import { type EventToInsert, insertEvents, raiseHead } from './events.ts'
import { insertKeys, type KeyToStore } from './idempotency-keys.ts'

/** A statement for any number of items of one tenant. */
export type Part<Item> = ((tenantId: string, items: Item[]) => Sql) & { isEverywhere?: true }

/**
 * Marks a part that writes to a table of which all servers of a cluster have a copy. It is a statement of its own,
 * before the others of its stage.
 */
export const everywhere = <Item>(part: (tenantId: string, items: Item[]) => Sql): Part<Item> =>
  Object.assign(part, { isEverywhere: true as const })

/**
 * A statement on rows that many changes write, such as counts. The items of all changes of a transaction are merged,
 * because a statement writes each row once. It must return one row per merged item.
 */
export type Counter<Item> = Part<Item> & Merging<Item>
type Merging<Item> = {
  /** Transactions lock their counters in the order of these names. */
  table: string
  /** Returns one item per row, in one order. By default there is only one row. */
  merge?(items: Item[]): Item[]
}

export const counter = <Item>(how: Merging<Item>, part: Part<Item>): Counter<Item> => Object.assign(part, how)

/**
 * `release`, `exact`, `lock` and `counter` must return one row per item; `lock` writes nothing. The rows of `release`
 * give up unique values; it runs before parts that may take them. `first` runs before these, and may return any number
 * of rows, as `plain` and `placed` may. `counter` runs after these parts of all plans. `placed` runs after the events
 * have their positions.
 */
export type PlanPart =
  | { part: Part<unknown>; item: unknown; mode: Exclude<Mode, 'counter'> }
  | { part: Counter<unknown>; item: unknown; mode: 'counter' }
type Mode = 'first' | 'release' | 'plain' | 'exact' | 'lock' | 'counter' | 'placed'

/** A part with one of its items. */
export const planPart = <Item>(mode: Exclude<Mode, 'counter'>, part: Part<Item>, item: Item): PlanPart => ({
  part: part as Part<unknown>,
  item,
  mode,
})

/** All writes of one change. */
export type WritePlan = {
  tenantId: string
  parts: PlanPart[]
  events: EventToInsert[]
  /** The idempotency key with the response that is stored under it; null without a key. */
  key: KeyToStore | null
}

/** The approximate size of a change: its events contain its rows, in characters. */
export const lengthOf = ({ events }: WritePlan): number =>
  events.reduce(
    (sum, { object, previous, related }) => sum + object.length + previous.length + (related?.length ?? 0),
    0,
  )

/** A statement of a transaction, and the index of the group of plans that it belongs to; null for all of them. */
export type Compiled = { statement: Sql; group: number | null }

/**
 * Compiles plans of one environment to the statements of one transaction. Plans of one group share a statement, and
 * must therefore not write the same rows. The keys of a group come first, so that a duplicate request fails before it
 * writes; only parts of `everywhere` come before them.
 *
 * All transactions lock rows in one order: due rows, the rows of each group, counters, and at last the head of the
 * journal. Its row is locked only while the events of all groups are inserted and the commit is flushed.
 * @param latest the latest time of the database that is known, in microseconds
 */
export function compilePlans(groups: WritePlan[][], latest = 0): Compiled[] {
  const all = groups.flat()
  const first = dueSteps(all)
  const last = lastSteps(all, latest)
  const own = groups.map(ownSteps)
  const isOne = groups.length === 1 && !own[0]!.some(({ isEverywhere }) => isEverywhere)
  const stages: [steps: Step[], group: number | null][] = isOne
    ? [[[...first, ...own[0]!, ...last], 0]]
    : [[first, null], ...own.map((steps, group): [Step[], number] => [steps, group]), [last, null]]
  return stages.flatMap(([steps, group]) =>
    statementsOf(steps).map((statement): Compiled => ({ statement, group })),
  )
}

/** The parts that concern all servers of a cluster are statements of their own; all other steps are one. */
function statementsOf(steps: Step[]): Sql[] {
  const { true: everywhere = [], false: own = [] } = Object.groupBy(steps, ({ isEverywhere }) =>
    isEverywhere ? 'true' : 'false',
  )
  return [...everywhere.map((step) => joinedOf([step])), ...(own.length > 0 ? [joinedOf(own)] : [])]
}

/** A part with its statement. */
type Step = {
  name: Sql
  statement: Sql
  /** True if the statement has rows of its own; otherwise it gets a RETURNING clause. */
  returns?: boolean
  /** The number of rows that it must return. */
  guard?: number
  isEverywhere?: boolean
}

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
      guard === undefined
        ? sql` / ((select count(*) from ${name}) >= 0)::integer`
        : sql` / ((select count(*) from ${name}) = ${guard}::bigint)::integer`,
    ),
    none,
  )}`

const returning = ({ statement, returns }: Step): Sql => (returns ? statement : sql`${statement} returning 1`)

/** The steps that lock and schedule due rows. */
const dueSteps = (plans: WritePlan[]): Step[] =>
  stepsOf(plans, firstPart, 'first').map(({ step }) => ({ ...step, returns: true }))

/** The steps of keys and rows; none if there is nothing to write. */
function ownSteps(plans: WritePlan[]): Step[] {
  const { tenantId } = plans[0]!
  const keys = plans.flatMap(({ key }) => (key === null ? [] : [key]))
  const writes = keys.length > 0 || plans.some(({ parts }) => parts.some(({ mode }) => mode !== 'lock'))
  if (!writes) return []
  const key = keys.length > 0 ? [{ name: keyPart, statement: insertKeys(tenantId, keys) }] : []
  const guardedOf = (name: (i: number) => Sql, ...modes: Mode[]): Step[] =>
    stepsOf(plans, name, ...modes).map(({ step, items }) => ({
      ...step,
      returns: true,
      guard: items,
    }))
  const released = guardedOf(releasePart, 'release')
  const guarded = guardedOf(guardedPart, 'exact', 'lock')
  const plain = stepsOf(plans, plainPart, 'plain').map(({ step }) => step)
  return [...key, ...released, ...guarded, ...plain]
}

/** The steps that change counters, raise the head of the journal and insert events. */
function lastSteps(plans: WritePlan[], latest: number): Step[] {
  const { tenantId } = plans[0]!
  const events = plans.flatMap(({ events }) => events)
  const counters = countersOf(plans)
  if (events.length === 0) return counters
  return [
    ...counters,
    { name: head, statement: raiseHead(tenantId, events.length, latest), returns: true, guard: 1 },
    { name: eventPart, statement: insertEvents(tenantId, events) },
    ...stepsOf(plans, placedPart, 'placed').map(({ step }) => step),
  ]
}

function countersOf(plans: WritePlan[]): Step[] {
  const counters = [...itemsByPart(plans, ['counter'])] as [Counter<unknown>, unknown[]][]
  return counters
    .sort(([one], [other]) => (one.table < other.table ? -1 : 1))
    .map(([part, all], i) => {
      const items = part.merge?.(all) ?? all.slice(0, 1)
      const statement = part(plans[0]!.tenantId, items)
      return { name: counterPart(i), statement, returns: true, guard: items.length }
    })
}

/** The steps of parts with one of these modes, each with its number of items. */
const stepsOf = (plans: WritePlan[], name: (i: number) => Sql, ...modes: Mode[]) =>
  [...itemsByPart(plans, modes)].map(([part, items], i) => ({
    step: {
      name: name(i),
      statement: part(plans[0]!.tenantId, items),
      isEverywhere: part.isEverywhere ?? false,
    },
    items: items.length,
  }))

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
const releasePart = partNames('r')
const guardedPart = partNames('g')
const plainPart = partNames('w')
const counterPart = partNames('c')
const head = sql`head`
const eventPart = sql`e`
const placedPart = partNames('p')
