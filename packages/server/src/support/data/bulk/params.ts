import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Action } from '../../automation/macros/action-schema.ts'
import type { Acting } from '../../jobs/running/selection.ts'

/** The params of a bulk job. */
export type BulkParams = {
  selection: { count: number } | { filter: unknown }
  actions: Action[]
  macro_id: string | null
}

/** While a filter selects: the place of the list after which it goes on. */
export type Selecting = { after: SortKey | null }
export type BulkState = Selecting | Acting

export const selecting: Selecting = { after: null }
