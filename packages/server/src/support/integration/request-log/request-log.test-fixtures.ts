import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  fillers: { listRequestLog: 'createTag' },
  madeByWork: ['listRequestLog'],
  byproducts: { req: '/v1/request_log?limit=1' },
}
