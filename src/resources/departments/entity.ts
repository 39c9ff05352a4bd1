import type { Entity } from '../../db/change.ts'
import { type Department, departmentTable } from './queries.ts'
import { departmentWire } from './schema.ts'

export const departments: Entity<Department> = {
  type: 'department',
  table: departmentTable,
  wire: departmentWire,
  precedence: ['department.updated', 'department.members_changed'],
}
