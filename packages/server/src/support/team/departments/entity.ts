import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { type Department, departmentTable } from './queries.ts'
import { departmentWire } from './schema.ts'

export const departments: Entity<Department> = {
  type: 'department',
  table: departmentTable,
  wire: departmentWire,
  precedence: ['department.updated', 'department.members_changed'],
}
