import type { Change } from '../../../db/change.ts'
import { References } from '../../../db/references.ts'
import { restructure, whyNotBelow } from '../../../db/trees.ts'
import { ApiError } from '../../../lib/errors.ts'
import { typeId } from '../../../lib/ids.ts'
import { nameKey } from '../../../lib/names.ts'
import { slugOf } from '../../../lib/slugs.ts'
import { collections } from './entity.ts'
import { type Collection, collectionTree, findNamesake } from './queries.ts'
import type { CollectionPatch, NewCollection } from './schema.ts'

export async function createCollection(change: Change, input: NewCollection): Promise<Collection> {
  const stamp = change.stamp()
  const collection = change.create(collections, {
    ...stamp,
    name: input.name,
    slug: input.slug ?? (slugOf(input.name) || stamp.id.slice(-12)),
    parent_id: input.parent_id == null ? null : await placeBelow(change, null, input.parent_id),
    position: input.position ?? 0,
    description: input.description ?? null,
    archived: input.archived ?? false,
    article_count: 0,
  })
  refuseNamesake(change, collection)
  return collection
}

/** What is in a collection and below it moves with it. */
export async function updateCollection(
  change: Change,
  id: string,
  patch: CollectionPatch,
): Promise<Collection> {
  const before = await change.target(collections, id)
  const { parent_id: parent, ...fields } = patch
  const parentId = await newParent(change, before, parent)
  const collection = change.update(collections, before, { ...fields, parent_id: parentId })
  refuseNamesake(change, collection)
  return collection
}

export async function deleteCollection(change: Change, id: string): Promise<void> {
  change.remove(collections, await change.target(collections, id))
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

function refuseNamesake(change: Change, collection: Collection): void {
  change.ifTaken(async () => {
    const owner = await findNamesake(change.db, change.tenantId, collection)
    if (!owner) return
    const field = owner.name_key === nameKey(collection.name) ? 'name' : 'slug'
    throw new ApiError('already_exists', { id: typeId('kbc', owner.id), field })
  })
}
