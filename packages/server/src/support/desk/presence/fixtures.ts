import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { updatePresence: { headers: { 'backline-operator': 'op' } } },
}
