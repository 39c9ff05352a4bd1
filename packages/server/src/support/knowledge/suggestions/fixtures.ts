import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { listSuggestions: { after: ['createFaq', 'createFaq', 'createFaq'] } },
  fillers: { listSuggestions: null }, // a further FAQ changes the scores of the others
}
