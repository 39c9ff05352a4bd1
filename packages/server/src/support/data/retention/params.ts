import type { SortKey } from '../../../platform/kernel/page.ts'
import type { Item } from '../../jobs/running/each.ts'
import type { RetentionPolicy } from './queries.ts'

/** The params of a job that carries out a policy. */
export type RetentionParams = { retention_policy_id: string; action: RetentionPolicy['action'] }

/**
 * How far it is: the place in the list, null after its end, conversations that are still to be done, and the number of
 * those that legal holds have kept.
 */
export type RetentionState = {
  after: SortKey | null
  isRead: boolean
  next: number
  left: Item[]
  held: number
}

export const begun: RetentionState = { after: null, isRead: false, next: 0, left: [], held: 0 }
