import { ApiError } from '../../../platform/kernel/errors.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { mergeMetadata } from '../../../platform/kernel/merge-patch.ts'
import { requireScopes } from '../../../platform/resource/scopes.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { References } from '../../../platform/unit-of-work/references.ts'
import { requireLivingIssuer } from '../../admin/api-keys/issuer.ts'
import { consoleSessionIdOf } from '../../vocabulary/principal.ts'
import { type Role, scopesOfRole } from '../../vocabulary/roles.ts'
import { operators } from './entity.ts'
import { presenceAfter } from './lifecycle.ts'
import { findOtherAdmin, type Operator } from './queries.ts'
import type { NewOperator, OperatorPatch } from './schema.ts'

/** The scopes that whoever gives a role must have. */
export const scopesToGive = (role: Role): readonly string[] => (role === 'agent' ? [] : scopesOfRole[role])

/**
 * A role gives its scopes to whoever signs in to the console with the e-mail address. Who gives a role other than
 * `agent`, or an address or a return from the archive to an operator with one, must have its scopes. So must who takes
 * one of these from such an operator, or deletes it.
 * @param after null if the operator is deleted
 * @throws ApiError `scope_missing`
 */
async function requireScopesOfRole(
  change: Change,
  before: Operator | null,
  after: Pick<Operator, 'role' | 'email' | 'archived'> | null,
): Promise<void> {
  const isSame =
    before?.role === after?.role && before?.email === after?.email && before?.archived === after?.archived
  if (isSame) return
  const scopes = [before?.role ?? 'agent', after?.role ?? 'agent'].flatMap(scopesToGive)
  if (scopes.length === 0) return
  requireScopes(change.ctx.principal.allows, ...scopes)
  await requireLivingIssuer(change, scopes)
}

/**
 * An environment with an administrator keeps one: without any, nobody could give the role in the console again. The
 * other administrator is guarded, so that two who archive each other do not both succeed.
 * @throws ApiError `invalid_transition`
 */
async function requireOtherAdmin(
  change: Change,
  { id, role, archived }: Operator,
  action: 'archive' | 'demote' | 'delete',
): Promise<void> {
  if (role !== 'admin' || archived) return
  const found = await findOtherAdmin(change.db, change.tenantId, id)
  const other = found && (await change.rows.find(operators, found.id))
  if (other?.role !== 'admin' || other.archived)
    // it may have changed meanwhile
    throw new ApiError('invalid_transition', { from: 'last_admin', action, allowed: [] })
  change.rows.guard(operators, other)
}

/** A new operator is offline until its first status or heartbeat. */
export async function createOperator(change: Change, input: NewOperator): Promise<Operator> {
  const { role = 'agent', email, archived = false } = input
  await requireScopesOfRole(change, null, { role, email, archived })
  const stamp = change.stamp()
  return change.rows.create(operators, {
    ...stamp,
    name: input.name,
    email,
    external_id: input.external_id ?? null,
    role,
    capacity: input.capacity ?? null,
    timezone: input.timezone ?? null,
    archived,
    metadata: input.metadata ?? {},
    status: 'offline',
    status_reason: null,
    status_since: stamp.created_at,
    status_until: null,
    status_then: null,
    offline_by_hand: false,
    department_ids: [],
    open_conversations: 0,
  })
}

/** An archived operator goes offline, and heartbeats do not change that. */
export async function updateOperator(change: Change, id: string, patch: OperatorPatch): Promise<Operator> {
  const operator = await change.rows.load(operators, id)
  const { metadata, ...plain } = patch
  await requireScopesOfRole(change, operator, { ...operator, ...plain })
  const leaves = patch.archived === true && !operator.archived
  if (leaves) await requireOtherAdmin(change, operator, 'archive')
  else if (patch.role !== undefined && patch.role !== 'admin')
    await requireOtherAdmin(change, operator, 'demote')
  return change.rows.update(operators, operator, {
    ...plain,
    metadata: mergeMetadata(operator.metadata, metadata),
    ...(leaves ? presenceAfter(operator, { status: 'offline' }, true, change.now) : {}),
  })
}

/** Memberships are deleted with the operator, each with an event of its department. */
export async function deleteOperator(change: Change, id: string): Promise<void> {
  const operator = await change.rows.load(operators, id)
  await requireScopesOfRole(change, operator, null)
  await requireOtherAdmin(change, operator, 'delete')
  const departments = change.entityOf('department')
  for (const departmentId of operator.department_ids) {
    const department = await change.rows.find(departments, departmentId)
    if (department) change.rows.bumpVersion(departments, department, 'department.members_changed')
  }
  change.rows.remove(operators, operator)
}

/** Adds an error if a body names another operator as the acting one than who has signed in to the console. */
export function requireOwnName(change: Change, references: References, pointer: string, id: string): void {
  const { ctx } = change
  if (consoleSessionIdOf(ctx) === null || id === ctx.principal.actor.operator_id) return
  references.fault({ pointer, code: 'not_allowed', detail: 'must be the operator who has signed in' })
}

/**
 * Refuses a request that acts for an agent, where the team could not undo what it does.
 * @throws ApiError `scope_missing`
 */
export async function refuseAgents(change: Change, detail: string): Promise<void> {
  if ((await actingOperator(change))?.role === 'agent')
    throw new ApiError('scope_missing', { role: 'lead' }, { detail })
}

/** The operator named by `Backline-Operator`, if the request has one. */
export async function actingOperator(change: Change): Promise<Operator | null> {
  const id = change.ctx.principal.actor.operator_id
  return id === null ? null : change.rows.find(operators, uuidOf('op', id)!)
}
