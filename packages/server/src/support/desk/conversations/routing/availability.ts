import type { Ctx } from '../../../../platform/unit-of-work/context.ts'
import { countMembersByStatus, departmentTable } from '../../../team/departments/queries.ts'
import { conversationLoad } from './queries.ts'
import type { Availability } from './schema.ts'

/** The available operators and waiting conversations of a department; null if it does not exist. */
export async function availabilityOf({ db, env }: Ctx, id: string): Promise<Availability | null> {
  const [department, counts, load] = await Promise.all([
    departmentTable.find(db, env.tenantId, id),
    countMembersByStatus(db, env.tenantId, id),
    conversationLoad(db, env.tenantId, id),
  ])
  if (!department) return null
  const found = Object.fromEntries(counts.map(({ status, count }) => [status, count]))
  return {
    department_id: id,
    operators: { online: 0, away: 0, busy: 0, offline: 0, ...found },
    ...load,
  }
}
