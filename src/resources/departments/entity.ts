import type { Entity } from '../../db/change.ts'
import { routingDuties } from '../conversations/lifecycle.ts'
import { type Department, departmentTable } from './queries.ts'
import { departmentWire } from './schema.ts'

export const departments: Entity<Department> = {
  type: 'department',
  table: departmentTable,
  wire: departmentWire,
  precedence: ['department.updated', 'department.members_changed'],
  /** Other rules may find somebody for what waits. */
  consequences(change, before, after) {
    if (!before) return
    if (after) change.schedule(routingDuties.department, after.id, change.now)
    else change.unschedule(routingDuties.department, before.id)
  },
}
