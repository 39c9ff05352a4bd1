import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: {
    releaseEndUserLegally: { after: ['holdEndUserLegally'] },
    unblockEndUser: { after: ['blockEndUser'] },
  },
  answersAnother: ['mergeEndUser'],
}
