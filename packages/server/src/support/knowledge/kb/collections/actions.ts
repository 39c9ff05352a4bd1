import { ApiError } from '../../../../platform/kernel/errors.ts'
import { typeId } from '../../../../platform/kernel/ids.ts'
import { nameKey, slugBeside, slugOf, slugOfId } from '../../../../platform/kernel/names.ts'
import { restructure, whyNotBelow } from '../../../../platform/trees/trees.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { References } from '../../../../platform/unit-of-work/references.ts'
import { collections } from './entity.ts'
import { type Collection, collectionTree, findNamesake, findSiblingWithSlug } from './queries.ts'
import type { CollectionPatch, NewCollection } from './schema.ts'

export async function createCollection(change: Change, input: NewCollection): Promise<Collection> {
  const stamp = change.stamp()
  const parent_id = input.parent_id == null ? null : await placeBelow(change, null, input.parent_id)
  const collection = change.rows.create(collections, {
    ...stamp,
    name: input.name,
    slug: input.slug ?? (await freeSlug(change, { id: stamp.id, parent_id, name: input.name })),
    parent_id,
    position: input.position ?? 0,
    description: input.description ?? null,
    archived: input.archived ?? false,
    article_count: 0,
  })
  refuseNamesake(change, collection)
  return collection
}

/** Updates a collection. Its articles and descendants move with it. */
export async function updateCollection(
  change: Change,
  id: string,
  patch: CollectionPatch,
): Promise<Collection> {
  const before = await change.rows.load(collections, id)
  const { parent_id: parent, ...fields } = patch
  const parentId = await newParent(change, before, parent)
  const collection = change.rows.update(collections, before, { ...fields, parent_id: parentId })
  refuseNamesake(change, collection)
  return collection
}

export async function deleteCollection(change: Change, id: string): Promise<void> {
  change.rows.remove(collections, await change.rows.load(collections, id))
}

async function newParent(
  change: Change,
  { id, parent_id }: Collection,
  parent: string | null | undefined,
): Promise<string | null> {
  if (parent === undefined || parent === (parent_id && typeId('kbc', parent_id))) return parent_id
  if (parent !== null) return placeBelow(change, id, parent)
  await restructure(change, collectionTree.table)
  return null
}

/** @param id null for a new collection */
async function placeBelow(change: Change, id: string | null, parentId: string): Promise<string | null> {
  await restructure(change, collectionTree.table)
  const references = new References(change)
  const parent = await references.to(collections, '/parent_id', parentId)
  const detail = parent && (await whyNotBelow(change, collectionTree, id, parent.id))
  if (detail) references.fault({ pointer: '/parent_id', code: 'not_allowed', detail })
  references.check()
  return parent!.id
}

/** A free slug for a name: with a part of the id if the name has none or the slug is in use. */
async function freeSlug(
  change: Change,
  { id, parent_id, name }: Pick<Collection, 'id' | 'parent_id' | 'name'>,
): Promise<string> {
  const slug = slugOf(name)
  if (slug === '') return slugOfId(id)
  const sibling = await findSiblingWithSlug(change.db, change.tenantId, parent_id, slug)
  return sibling ? slugBeside(slug, id) : slug
}

function refuseNamesake(change: Change, collection: Collection): void {
  change.onDuplicate(async () => {
    const owner = await findNamesake(change.db, change.tenantId, collection)
    if (!owner) return
    const field = owner.name_key === nameKey(collection.name) ? 'name' : 'slug'
    throw new ApiError('already_exists', { id: typeId('kbc', owner.id), field })
  })
}
