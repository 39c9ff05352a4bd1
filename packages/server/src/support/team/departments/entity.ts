import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Department, departmentTable, findDepartmentByName } from './queries.ts'
import { departmentWire } from './schema.ts'

export const departments: Entity<Department> = {
  type: 'department',
  prefix: declareIds('department', 'dept'),
  table: departmentTable,
  wire: departmentWire,
  unique: { name: ({ name }, db, tenantId) => findDepartmentByName(db, tenantId, name) },
  precedence: ['department.updated', 'department.members_changed'],
}
