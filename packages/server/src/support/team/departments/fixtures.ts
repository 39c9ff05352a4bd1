import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { removeDepartmentOperator: { after: ['addDepartmentOperator'] } },
  fillers: { listDepartmentOperators: 'addDepartmentOperator' },
}
