import type { Change } from '../../../platform/unit-of-work/change.ts'
import { completed } from './action-schema.ts'
import { macros } from './entity.ts'
import { deleteMacroUses, type Macro } from './queries.ts'
import { checkReferences } from './references.ts'
import type { MacroPatch, NewMacro } from './schema.ts'

export async function createMacro(change: Change, input: NewMacro): Promise<Macro> {
  const actions = input.actions.map(completed)
  const departmentIds = await checkReferences(change, null, actions, input.department_ids)
  return change.rows.create(macros, {
    ...change.stamp(),
    name: input.name,
    description: input.description ?? null,
    actions,
    department_ids: departmentIds ?? [],
    position: input.position ?? 0,
    archived: input.archived ?? false,
    usage_count: 0,
    last_used_at: null,
  })
}

export async function updateMacro(change: Change, id: string, patch: MacroPatch): Promise<Macro> {
  const former = await change.rows.load(macros, id)
  const { actions: sent, department_ids: sentIds, ...fields } = patch
  const actions = sent?.map(completed)
  const departmentIds = await checkReferences(change, former, actions, sentIds)
  return change.rows.update(macros, former, {
    ...fields,
    ...(actions ? { actions } : {}),
    ...(departmentIds ? { department_ids: departmentIds } : {}),
  })
}

export async function deleteMacro(change: Change, id: string): Promise<void> {
  change.rows.remove(macros, await change.rows.load(macros, id))
  change.effects.write(deleteMacroUses(change.tenantId, id))
}
