import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { listOperatorStatusHistory: { after: ['sendOperatorHeartbeat', 'setOperatorStatus'] } },
  fillers: {
    listOperatorStatuses: 'createOperator',
    listOperatorStatusHistory: null, // of two statuses within a millisecond the later one is left
  },
}
