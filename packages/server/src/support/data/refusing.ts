import { ApiError } from '../../platform/kernel/errors.ts'
import type { Change } from '../../platform/unit-of-work/change.ts'
import { actingOperator } from '../team/operators/actions.ts'

/**
 * An agent does not move the data of the whole desk.
 * @throws ApiError `scope_missing`
 */
export async function refuseAgents(change: Change): Promise<void> {
  if ((await actingOperator(change))?.role !== 'agent') return
  const detail = 'Only operators with the role lead or admin may export, import or erase data.'
  throw new ApiError('scope_missing', { role: 'lead' }, { detail })
}
