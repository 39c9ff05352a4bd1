import { on } from '../../../platform/resource/resource.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { webhookDeliveries } from './deliveries/entity.ts'
import { webhookEndpoints } from './entity.ts'
import { activate, deleteState } from './queries.ts'
import { deleteRecoveriesOf } from './recovery/queries.ts'

/** The processes that send hear of changed endpoints, and of deliveries that a request has made due. */
function tellSenders({ ctx, tenantId, effects }: Change): void {
  effects.afterCommit(() => ctx.services.commits.reportFollowers(tenantId))
}

export const webhookEndpointReactions = [
  on(webhookEndpoints, (change, before, after) => {
    tellSenders(change)
    if (!after) {
      change.effects.write(deleteState(change.tenantId, before!.id))
      change.effects.write(deleteRecoveriesOf(change.tenantId, before!.id))
    } else if (after.status === 'enabled' && before?.status !== 'enabled')
      change.effects.writePlaced(activate, after.id)
  }),
  on(webhookDeliveries, tellSenders),
]
