import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  fillers: { listPresence: 'updatePresence' },
  fleeting: ['listPresence'],
  preparations: { updatePresence: { headers: { 'backline-operator': 'op' } } },
}
