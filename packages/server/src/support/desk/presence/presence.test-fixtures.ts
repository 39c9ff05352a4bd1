import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { updatePresence: { headers: { 'backline-operator': 'op' } } },
  fillers: { listPresence: 'updatePresence' },
  fleeting: ['listPresence'],
}
