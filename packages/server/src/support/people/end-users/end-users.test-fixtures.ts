import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { unblockEndUser: { after: ['blockEndUser'] } },
  answersAnother: ['mergeEndUser'],
}
