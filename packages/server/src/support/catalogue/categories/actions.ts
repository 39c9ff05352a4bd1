import { typeId } from '../../../platform/kernel/ids.ts'
import { restructure, whyNotBelow } from '../../../platform/trees/trees.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { departments } from '../../team/departments/entity.ts'
import { categories } from './entity.ts'
import { type Category, categoryTree } from './queries.ts'
import type { CategoryPatch, NewCategory } from './schema.ts'

export async function createCategory(change: Change, input: NewCategory): Promise<Category> {
  const references = new References(change)
  const place = input.parent_id == null ? root : await placeBelow(change, references, null, input.parent_id)
  const department = await defaultDepartment(references, input.default_department_id)
  references.check()
  return change.rows.create(categories, {
    ...change.stamp(),
    name: input.name,
    parent_id: place.parentId,
    path: [...place.above, input.name],
    position: input.position ?? 0,
    default_department_id: department,
    default_priority: input.default_priority ?? null,
    description: input.description ?? null,
    public: input.public ?? false,
    archived: input.archived ?? false,
  })
}

/** Moves a category with its descendants. Paths are derived, so the descendants do not change. */
export async function updateCategory(change: Change, id: string, patch: CategoryPatch): Promise<Category> {
  const before = await change.rows.load(categories, id)
  const references = new References(change)
  const { parent_id: parent, default_department_id: department, ...fields } = patch
  const place = await newPlace(change, references, before, parent)
  const departmentId =
    department === undefined
      ? before.default_department_id
      : await defaultDepartment(references, department, before.default_department_id)
  references.check()
  return change.rows.update(categories, before, {
    ...fields,
    parent_id: place.parentId,
    path: [...place.above, fields.name ?? before.name],
    default_department_id: departmentId,
  })
}

export async function deleteCategory(change: Change, id: string): Promise<void> {
  change.rows.remove(categories, await change.rows.load(categories, id))
}

/** The place in the tree: the parent, and the names from the root down to it. */
type Place = { parentId: string | null; above: string[] }

const root: Place = { parentId: null, above: [] }

async function newPlace(
  change: Change,
  references: References,
  category: Category,
  parent: string | null | undefined,
): Promise<Place> {
  const present = category.parent_id && typeId('cat', category.parent_id)
  if (parent === undefined || parent === present)
    return { parentId: category.parent_id, above: category.path.slice(0, -1) }
  if (parent !== null) return placeBelow(change, references, category, parent)
  await restructure(change, categoryTree.table)
  return root
}

async function placeBelow(
  change: Change,
  references: References,
  category: Category | null,
  parentId: string,
): Promise<Place> {
  await restructure(change, categoryTree.table)
  const parent = await references.to(categories, '/parent_id', parentId)
  if (!parent) return root // not used: the reference is invalid
  const detail = await whyNotBelow(change, categoryTree, category?.id ?? null, parent.id)
  if (detail) references.fault({ pointer: '/parent_id', code: 'not_allowed', detail })
  return { parentId: parent.id, above: parent.path }
}

async function defaultDepartment(
  references: References,
  id: string | null | undefined,
  kept: string | null = null,
): Promise<string | null> {
  return (await references.to(departments, '/default_department_id', id, kept))?.id ?? null
}
