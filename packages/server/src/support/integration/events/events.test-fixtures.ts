import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  byproducts: { evt: '/v1/events?limit=1&types=tag.created' },
  beyondPage: ['listEventTypes'],
  fillers: { listEvents: 'createTag', listEventTypes: null },
}
