import { uuidOf } from '../../../platform/kernel/ids.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import type { Entity, ResourceRow } from '../../../platform/unit-of-work/entity.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { definitionsOf } from '../../properties/custom-fields/definitions.ts'
import { departments } from '../../team/departments/entity.ts'
import { operators } from '../../team/operators/entity.ts'
import { views } from './entity.ts'
import { faultsInSort, readViewFilter, sortsOf, type ViewSubject } from './filter.ts'
import type { View } from './queries.ts'
import type { NewView, ViewPatch } from './schema.ts'

type Visibility = Pick<View, 'operator_ids' | 'department_ids'>
const everyone: Visibility = { operator_ids: [], department_ids: [] }

export async function createView(change: Change, input: NewView): Promise<View> {
  const applies_to = input.applies_to ?? 'conversation'
  const references = new References(change)
  await checkFilter(change, references, applies_to, input.filter)
  const visibility = await visibilityAfter(references, everyone, input.visibility)
  references.check()
  return change.rows.create(views, {
    ...change.stamp(),
    name: input.name,
    description: input.description ?? null,
    applies_to,
    filter: input.filter,
    sort: input.sort ?? sortsOf[applies_to][0],
    columns: input.columns ?? [],
    ...visibility,
    position: input.position ?? 0,
    archived: input.archived ?? false,
    broken: null,
  })
}

export async function updateView(
  change: Change,
  id: string,
  { visibility, ...patch }: ViewPatch,
): Promise<View> {
  const view = await change.rows.load(views, id)
  const references = new References(change)
  if (patch.filter !== undefined) await checkFilter(change, references, view.applies_to, patch.filter)
  for (const fault of faultsInSort(view.applies_to, patch.sort)) references.fault(fault)
  const visibleTo = await visibilityAfter(references, view, visibility)
  references.check()
  const mended = patch.filter === undefined ? {} : { broken: null }
  return change.rows.update(views, view, { ...patch, ...visibleTo, ...mended })
}

export async function deleteView(change: Change, id: string): Promise<void> {
  change.rows.remove(views, await change.rows.load(views, id))
}

async function checkFilter(
  { db, tenantId }: Change,
  references: References,
  subject: ViewSubject,
  filter: unknown,
): Promise<void> {
  const read = readViewFilter(subject, filter, await definitionsOf(db, tenantId))
  if ('filter' in read) return
  for (const fault of read.faults) references.fault({ ...fault, pointer: `/filter${fault.pointer}` })
}

/** The visibility after a patch; `references` receives the errors of invalid ids. */
const visibilityAfter = async (
  references: References,
  before: Visibility,
  patch: NewView['visibility'],
): Promise<Visibility> => ({
  operator_ids: await chosen(references, operators, 'operator_ids', patch?.operator_ids, before),
  department_ids: await chosen(references, departments, 'department_ids', patch?.department_ids, before),
})

/** The ids of the rows, without duplicates. Ids that the view already has may be archived or deleted. */
async function chosen<Row extends ResourceRow & { archived: boolean }>(
  references: References,
  entity: Entity<Row>,
  field: 'operator_ids' | 'department_ids',
  ids: string[] | undefined,
  { [field]: before }: Visibility,
): Promise<string[]> {
  if (ids === undefined) return before
  const present = new Set<string>()
  for (const [i, id] of ids.entries()) {
    const kept = before.find((each) => each === uuidOf(entity.prefix, id))
    const row = kept ? { id: kept } : await references.to(entity, `/visibility/${field}/${i}`, id)
    if (row) present.add(row.id)
  }
  return [...present]
}
