import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  fillers: { listPresence: 'updatePresence' },
  fleeting: ['listPresence'],
  preparations: { updatePresence: { headers: { 'backline-operator': 'op' } } },
}
