import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { endAsFailed } from '../processing/processing.ts'

export const fixtures: RouteFixtures = {
  preparations: {
    reprocessInboundEmail: { prepare: (ctx, { id }) => endAsFailed(ctx, uuidOf('eml', id!)!, 'internal') },
  },
  eventless: ['createInboundEmail', 'reprocessInboundEmail'],
}
