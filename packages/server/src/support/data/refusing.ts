import type { Change } from '../../platform/unit-of-work/change.ts'
import { refuseAgents } from '../team/operators/actions.ts'

/**
 * Refuses to move the data of the whole desk for an agent.
 * @throws ApiError `scope_missing`
 */
export const requireLead = (change: Change): Promise<void> =>
  refuseAgents(change, 'Only operators with the role lead or admin may export, import or erase data.')
