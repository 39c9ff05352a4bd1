import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { unblockEndUser: { after: ['blockEndUser'] } },
  answersAnother: ['mergeEndUser'],
}
