import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  fillers: { listAuditLog: 'createTag' },
  byproducts: { aud: '/v1/audit_log?limit=1' },
}
