import { on } from '../../../platform/resource/resource.ts'
import { webhookEndpoints } from './entity.ts'
import { activate, deleteState } from './queries.ts'
import { deleteRecoveriesOf } from './recovery/queries.ts'

export const webhookEndpointReactions = [
  on(webhookEndpoints, (change, before, after) => {
    if (!after) {
      change.effects.write(deleteState(change.tenantId, before!.id))
      change.effects.write(deleteRecoveriesOf(change.tenantId, before!.id))
    } else if (after.status === 'enabled' && before?.status !== 'enabled')
      change.effects.writePlaced(activate, after.id)
  }),
]
