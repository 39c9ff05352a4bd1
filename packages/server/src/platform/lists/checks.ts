import type { Db } from '../postgres/database.ts'
import type { Sql } from '../postgres/sql.ts'
import type { At, Check, Leaf } from './field.ts'
import { conjunctsOf, type Filter } from './filter.ts'

/** A check with its value. */
export type Checked = { check: Check; value: unknown }

/** The checks of a list, by name. */
export type Checks = ReadonlyMap<string, Checked>

/** Divides the conditions of a filter that all have to be met into checks and others. */
export function dividedInto(filter: Filter): { checks: Checks; others: Filter[] } {
  const checks = new Map<string, Checked>()
  const others: Filter[] = []
  for (const each of conjunctsOf(filter)) {
    const found = 'field' in each ? checkOf(each) : undefined
    if (found === undefined || checks.has(found.check.as)) others.push(each)
    else checks.set(found.check.as, found)
  }
  return { checks, others }
}

function checkOf(leaf: Leaf): Checked | undefined {
  for (const check of leaf.of.checks ?? []) {
    const value = check.valueOf(leaf)
    if (value !== undefined) return { check, value }
  }
  return undefined
}

/** The checks with the values that they are tested with; null if no row can pass them. */
export async function resolved(db: Db, tenantId: string, checks: Checks): Promise<Checks | null> {
  const all = await Promise.all(
    [...checks].map(async ([as, { check, value }]) => {
      const tested = check.resolve ? await check.resolve(db, tenantId, value as never) : value
      return [as, { check, value: tested }] as const
    }),
  )
  return all.some(([, { value }]) => value === null) ? null : new Map(all)
}

export const conditionsOf = (checks: Checks, at: At): Sql[] =>
  [...checks.values()].map(({ check, value }) => check.test(value as never, at))

/** The checks with some of the names. */
export const picked = (checks: Checks, names: readonly string[]): Checks =>
  new Map([...checks].filter(([as]) => names.includes(as)))

/** The checks without some of the names. */
export const without = (checks: Checks, names: readonly string[]): Checks =>
  new Map([...checks].filter(([as]) => !names.includes(as)))
