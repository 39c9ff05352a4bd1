import { declareIds } from '../../../platform/kernel/ids.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Department, departmentTable, findDepartmentByName } from './queries.ts'
import { departmentWire } from './schema.ts'

const events = [
  'department.created',
  'department.updated',
  'department.members_changed',
  'department.deleted',
] as const

export const departments: Entity<Department, (typeof events)[number]> = {
  type: 'department',
  prefix: declareIds('department', 'dept'),
  events,
  table: departmentTable,
  wire: departmentWire,
  unique: { name: ({ name }, db, tenantId) => findDepartmentByName(db, tenantId, name) },
  precedence: ['department.updated', 'department.members_changed'],
}
