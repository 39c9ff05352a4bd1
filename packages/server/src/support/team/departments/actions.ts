import { ApiError } from '../../../platform/kernel/errors.ts'
import { mergeMetadata } from '../../../platform/kernel/merge-patch.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { operators } from '../operators/entity.ts'
import { memberOf, type Operator, operatorOrders, operatorTable } from '../operators/queries.ts'
import { departments } from './entity.ts'
import type { Assignment, Department } from './queries.ts'
import type { DepartmentPatch, NewDepartment } from './schema.ts'

const manual: Assignment = { strategy: 'manual', max_open_per_operator: null }

/** One statement should not update more members. */
const maxMembersToDelete = 100

export async function createDepartment(change: Change, input: NewDepartment): Promise<Department> {
  return change.rows.create(departments, {
    ...change.stamp(),
    name: input.name,
    description: input.description ?? null,
    email: input.email ?? null,
    ...(await referencesOf(change, input, null)),
    assignment: mergeAssignment(manual, input.assignment),
    claim_order: input.claim_order ?? 'waiting',
    reply_assigns: input.reply_assigns ?? false,
    public: input.public ?? false,
    archived: input.archived ?? false,
    metadata: input.metadata ?? {},
  })
}

export async function updateDepartment(
  change: Change,
  id: string,
  patch: DepartmentPatch,
): Promise<Department> {
  const department = await change.rows.load(departments, id)
  const { assignment, metadata, default_sla_config_id: _, fallback_department_id: __, ...plain } = patch
  return change.rows.update(departments, department, {
    ...plain,
    ...(await referencesOf(change, patch, department)),
    assignment: mergeAssignment(department.assignment, assignment),
    metadata: mergeMetadata(department.metadata, metadata),
  })
}

/** Its members leave it first, each with an event. */
export async function deleteDepartment(change: Change, id: string): Promise<void> {
  const department = await change.rows.load(departments, id)
  const members = await operatorTable.list(
    change.db,
    change.tenantId,
    [memberOf(change.tenantId, id)],
    operatorOrders.created_at,
    { limit: maxMembersToDelete + 1, after: null },
  )
  if (members.length > maxMembersToDelete) throw new ApiError('resource_in_use', { hint: 'archive' })
  for (const member of members) leave(change, member, id)
  change.rows.remove(departments, department)
}

/**
 * Adds a member. The operator shows the membership and the department owns it: both change, or neither if it exists.
 */
export async function addOperator(change: Change, id: string, operatorId: string): Promise<Department> {
  const { department, operator } = await bothOf(change, id, operatorId)
  if (operator.department_ids.includes(id)) {
    change.rows.guard(operators, operator)
    return change.rows.update(departments, department, {})
  }
  if (department.archived || operator.archived)
    throw new ApiError('invalid_transition', { from: 'archived', action: 'add_operator', allowed: [] })
  change.rows.update(operators, operator, { department_ids: [...operator.department_ids, id].sort() })
  return change.rows.bumpVersion(departments, department, 'department.members_changed')
}

export async function removeOperator(change: Change, id: string, operatorId: string): Promise<void> {
  const { department, operator } = await bothOf(change, id, operatorId)
  if (!operator.department_ids.includes(id)) throw new ApiError('not_found')
  leave(change, operator, id)
  change.rows.bumpVersion(departments, department, 'department.members_changed')
}

async function bothOf(change: Change, id: string, operatorId: string) {
  const department = await change.rows.load(departments, id)
  const operator = await change.rows.find(operators, operatorId)
  if (!operator) throw new ApiError('not_found')
  return { department, operator }
}

const leave = (change: Change, operator: Operator, departmentId: string): Operator =>
  change.rows.update(operators, operator, {
    department_ids: operator.department_ids.filter((each) => each !== departmentId),
  })

/** Resolves the ids in the body; omitted fields keep their value. */
async function referencesOf(
  change: Change,
  { default_sla_config_id: slaConfigId, fallback_department_id: fallbackId }: DepartmentPatch,
  department: Department | null,
): Promise<Pick<Department, 'default_sla_config_id' | 'fallback_department_id'>> {
  const references = new References(change)
  const slaConfigs = change.entityOf('sla_config')
  const slaConfig = await references.to(
    slaConfigs,
    '/default_sla_config_id',
    slaConfigId,
    department?.default_sla_config_id ?? null,
  )
  const fallback = await references.to(
    departments,
    '/fallback_department_id',
    fallbackId,
    department?.fallback_department_id ?? null,
  )
  if (fallback && fallback.id === department?.id)
    references.fault({
      pointer: '/fallback_department_id',
      code: 'not_allowed',
      detail: 'must be another department',
    })
  references.check()
  if (slaConfig) change.rows.guard(slaConfigs, slaConfig)
  if (fallback) change.rows.guard(departments, fallback)
  return {
    default_sla_config_id:
      slaConfigId === undefined ? (department?.default_sla_config_id ?? null) : (slaConfig?.id ?? null),
    fallback_department_id:
      fallbackId === undefined ? (department?.fallback_department_id ?? null) : (fallback?.id ?? null),
  }
}

/** Merges member by member; null is the default of a new department. */
function mergeAssignment(former: Assignment, patch: DepartmentPatch['assignment']): Assignment {
  if (patch === undefined) return former
  if (patch === null) return manual
  const { strategy = former.strategy, max_open_per_operator = former.max_open_per_operator } = patch
  return { strategy: strategy ?? manual.strategy, max_open_per_operator }
}
