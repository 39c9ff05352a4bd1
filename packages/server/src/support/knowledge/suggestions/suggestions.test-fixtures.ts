import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { listSuggestions: { after: ['createFaq', 'createFaq', 'createFaq'] } },
  fillers: { listSuggestions: null }, // a further FAQ changes the scores of the others
}
