import type { FieldErrorCode } from '../../../platform/kernel/errors.ts'
import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Entity } from '../../../platform/unit-of-work/entity.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { categories } from '../../catalogue/categories/entity.ts'
import { holdReasons } from '../../catalogue/hold-reasons/entity.ts'
import { messageTemplates } from '../../catalogue/message-templates/entity.ts'
import { definitionsOf } from '../../properties/custom-fields/definitions.ts'
import { checkValue, isSameValue } from '../../properties/custom-fields/values/check.ts'
import { departments } from '../../team/departments/entity.ts'
import { operators } from '../../team/operators/entity.ts'
import type { Action } from './action-schema.ts'
import type { Macro } from './queries.ts'

type Referring = { actions: Action[]; department_ids: string[] }

// biome-ignore lint/suspicious/noExplicitAny: rows of every kind are referred to alike
const referred: Partial<Record<Action['type'], [field: string, entity: Entity<any>]>> = {
  set_category: ['category_id', categories],
  set_department: ['department_id', departments],
  assign: ['operator_id', operators],
  reply: ['template_id', messageTemplates],
  hold: ['hold_reason_id', holdReasons],
}

const idIn = (action: Action, field: string): string | null => {
  const id = (action as unknown as Record<string, string | null>)[field] ?? null
  return id === 'me' ? null : id
}

/**
 * Checks that all references of a macro are valid. References that the macro already has may be archived or deleted.
 * @param departmentIds TypeIDs; undefined if they do not change, nor do the actions
 * @returns the UUIDs of the departments, without duplicates
 */
export async function checkReferences(
  change: Change,
  former: Macro | null,
  actions: Action[] | undefined,
  departmentIds: string[] | undefined,
): Promise<string[] | undefined> {
  const references = new References(change)
  const kept = idsOf(former)
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const to = async (entity: Entity<any>, pointer: string, id: string | null) => {
    if (id === null || !kept.has(id)) return references.to(entity, pointer, id)
    return { id: uuidOf(entity.prefix, id)! }
  }
  for (const [i, action] of (actions ?? []).entries()) {
    const [field, entity] = referred[action.type] ?? []
    if (field && entity) await to(entity, `/actions/${i}/${field}`, idIn(action, field))
    if (action.type === 'set_custom_field')
      await checkField(change, references, former, action, `/actions/${i}`)
  }
  const chosen = new Set<string>()
  for (const [i, id] of (departmentIds ?? []).entries()) {
    const department = await to(departments, `/department_ids/${i}`, id)
    if (department) chosen.add(department.id)
  }
  references.check()
  return departmentIds && [...chosen]
}

type SetField = Extract<Action, { type: 'set_custom_field' }>

/** The field must be one of conversations, and take the value. */
async function checkField(
  change: Change,
  references: References,
  former: Macro | null,
  { key, value }: SetField,
  pointer: string,
): Promise<void> {
  const kept = former?.actions.filter((each) => each.type === 'set_custom_field' && each.key === key) ?? []
  if (kept.some((each) => isSameValue((each as SetField).value, value))) return
  const { conversation } = await definitionsOf(change.db, change.tenantId)
  const field = conversation.find((each) => each.key === key)
  const fault = (member: string, code: FieldErrorCode, detail: string) =>
    references.fault({ pointer: `${pointer}/${member}`, code, detail })
  if (!field) return fault('key', 'not_found', 'must be the key of an existing custom field of conversations')
  if (field.archived && value !== null && kept.length === 0)
    return fault('key', 'not_allowed', 'must not refer to an archived custom field')
  const checked = checkValue(field, value, null)
  if ('code' in checked) fault('value', checked.code, checked.detail)
}

function idsOf(macro: Referring | null): Set<string> {
  if (!macro) return new Set()
  const inActions = macro.actions.flatMap((action) => {
    const [field] = referred[action.type] ?? []
    return field ? [idIn(action, field)] : []
  })
  const ofDepartments = macro.department_ids.map((id) => typeId('dept', id))
  return new Set([...inActions, ...ofDepartments].filter((id) => id !== null))
}
