import { plusSeconds } from '../../../platform/kernel/clock.ts'
import { firstUuid } from '../../../platform/kernel/ids.ts'
import { restructure } from '../../../platform/trees/trees.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { customFields } from './entity.ts'
import { beginTask, valuesJob } from './indexing/queries.ts'
import { isLong, startRemoval } from './indexing/removal.ts'
import { allCustomFields, type CustomField, type Option, slotOf } from './queries.ts'
import type { CustomFieldPatch, NewCustomField } from './schema.ts'

/**
 * The time that requests may take. Values of a deleted field are removed after it, because a request that knew the
 * field can still write a value, which nobody sees. The index of a field is cleared after it, because a request that
 * knew the field as indexed still finds objects by the index.
 */
const requestSeconds = 60
const maxFields = 100
const maxIndexed = 20

export async function createCustomField(change: Change, input: NewCustomField): Promise<CustomField> {
  const field: CustomField = {
    ...change.stamp(),
    applies_to: input.applies_to,
    key: input.key,
    name: input.name,
    description: input.description ?? null,
    type: input.type,
    options: completed(input.options ?? []),
    required_on: input.required_on ?? null,
    end_user_access: input.end_user_access ?? 'none',
    indexed: input.indexed ?? false,
    index_ready: false,
    position: input.position ?? 0,
    archived: input.archived ?? false,
  }
  const others = await othersOf(change, field)
  const references = new References(change)
  if (others.length >= maxFields)
    references.fault({
      pointer: '/applies_to',
      code: 'too_large',
      detail: `must not have more than ${maxFields} custom fields`,
    })
  check(references, field, others)
  references.check()
  if (field.indexed) begin(change, field)
  return change.rows.create(customFields, field)
}

export async function updateCustomField(
  change: Change,
  id: string,
  { options, ...patch }: CustomFieldPatch,
): Promise<CustomField> {
  const before = await change.rows.load(customFields, id)
  const after: CustomField = {
    ...before,
    ...patch,
    ...(options ? { options: completed(options) } : {}),
  }
  const references = new References(change)
  check(references, after, after.indexed && !before.indexed ? await othersOf(change, before) : [])
  references.check()
  if (after.indexed === before.indexed) return change.rows.update(customFields, before, after)
  begin(change, after, after.indexed ? change.now : plusSeconds(change.now, requestSeconds))
  return change.rows.update(customFields, before, { ...after, index_ready: false })
}

/** Objects show no value of the field from now on, because they are stored by its slot; these go in the background. */
export async function deleteCustomField(change: Change, id: string): Promise<void> {
  const field = await change.rows.load(customFields, id)
  const startsAt = plusSeconds(change.now, requestSeconds)
  if (await isLong(change, field)) startRemoval(change, field, startsAt)
  else begin(change, field, startsAt)
  change.rows.remove(customFields, field)
}

/** The other fields of its kind of object. Concurrent changes of their number run one after another. */
async function othersOf(change: Change, { id, applies_to }: CustomField): Promise<CustomField[]> {
  await restructure(change, 'custom_fields')
  const all = await allCustomFields(change.db, change.tenantId)
  return all.filter((other) => other.applies_to === applies_to && other.id !== id)
}

function check(references: References, field: CustomField, others: CustomField[]): void {
  const isSelect = field.type === 'select' || field.type === 'multi_select'
  const fault = (pointer: string, code: 'not_allowed' | 'required' | 'too_large', detail: string) =>
    references.fault({ pointer, code, detail })
  if (isSelect && field.options.length === 0) fault('/options', 'required', 'must have at least one option')
  if (!isSelect && field.options.length > 0)
    fault('/options', 'not_allowed', 'must be empty unless the type is select or multi_select')
  const seen = new Set<string>()
  for (const [i, { value }] of field.options.entries()) {
    if (seen.has(value)) fault(`/options/${i}/value`, 'not_allowed', 'must not repeat a value')
    seen.add(value)
  }
  if (field.required_on !== null && field.applies_to !== 'conversation')
    fault('/required_on', 'not_allowed', 'must be null unless the field applies to conversations')
  if (field.indexed && others.filter(({ indexed }) => indexed).length >= maxIndexed)
    fault('/indexed', 'too_large', `must not be set for more than ${maxIndexed} fields`)
}

const completed = (options: NonNullable<NewCustomField['options']>): Option[] =>
  options.map(({ value, label = value, archived = false }) => ({ value, label, archived }))

/** Lets background work fill or clear the index of a field, or remove the values of a deleted one. */
function begin(change: Change, { id, applies_to }: CustomField, at = change.now): void {
  change.effects.write(
    beginTask(change.tenantId, { field_id: id, applies_to, slot: slotOf(id), after: firstUuid }),
  )
  change.jobs.schedule(valuesJob, id, at)
}
