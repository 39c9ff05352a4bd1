import type { FilterTree } from '@backline/sdk'
import { asGroup, isFilter, levelsOf, mostLevels, nodesOf } from '../../filters/tree.ts'

/** They narrow a list beside its view: all of them are met. */
export type Conditions = readonly FilterTree[]

/** The conditions in an address; none if it has something else there. */
export function conditionsIn(text: string): Conditions {
  let value: unknown = null
  try {
    value = JSON.parse(text || 'null')
  } catch {}
  if (!isFilter(value)) return []
  const group = asGroup(value)
  return 'all' in group ? nodesOf(group) : [group]
}

/** The same as a filter of the API, and for the address; empty without conditions. */
export const filterOfAll = (conditions: Conditions): FilterTree | undefined =>
  conditions.length > 0 ? { all: conditions } : undefined

export const textOf = (conditions: Conditions): string => JSON.stringify(filterOfAll(conditions)) ?? ''

/** The filter of a view and further conditions as one; null if it is deeper than filters may be. */
export function narrowed(filter: FilterTree, conditions: Conditions): FilterTree | null {
  if (conditions.length === 0) return filter
  const all = { all: [...('all' in filter ? filter.all : [filter]), ...conditions] }
  return levelsOf(all) > mostLevels ? null : all
}
