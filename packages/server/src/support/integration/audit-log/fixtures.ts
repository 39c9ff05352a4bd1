import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  fillers: { listAuditLog: 'createTag' },
  byproducts: { aud: '/v1/audit_log?limit=1' },
}
