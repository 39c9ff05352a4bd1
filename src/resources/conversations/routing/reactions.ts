import { on } from '../../../resource.ts'
import { departments } from '../../departments/entity.ts'
import { operators } from '../../operators/entity.ts'
import type { Operator } from '../../operators/queries.ts'
import { routingDuties } from '../lifecycle.ts'

/** Other rules of a department may find an operator for conversations that wait. */
const onDepartment = on(departments, (change, before, after) => {
  if (!before) return
  if (after) change.schedule(routingDuties.department, after.id, change.now)
  else change.unschedule(routingDuties.department, before.id)
})

const onOperator = on(operators, (change, before, after) => {
  if (after && mayTakeMore(before, after)) change.schedule(routingDuties.operator, after.id, change.now)
})

/** Came online, may have more open at once, or serves another department. */
function mayTakeMore(before: Operator | null, after: Operator): boolean {
  if (!before || after.status !== 'online' || after.archived) return false
  const room = ({ capacity }: Operator) => capacity ?? Number.POSITIVE_INFINITY
  return (
    before.status !== 'online' ||
    room(after) > room(before) ||
    after.department_ids.some((id) => !before.department_ids.includes(id))
  )
}

export const routingReactions = [onDepartment, onOperator]
