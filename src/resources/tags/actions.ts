import type { Change } from '../../db/change.ts'
import { refuseTaken } from '../../db/references.ts'
import { tags } from './entity.ts'
import { findTagByName, type Tag } from './queries.ts'
import type { NewTag, TagPatch } from './schema.ts'

export function createTag(change: Change, input: NewTag): Tag {
  const tag = change.create(tags, {
    ...change.stamp(),
    name: input.name,
    color: input.color ?? null,
    description: input.description ?? null,
    archived: false,
  })
  refuseTakenName(change, tag)
  return tag
}

/** A new name shows everywhere at once: conversations keep the tag, not its name. */
export async function updateTag(change: Change, id: string, patch: TagPatch): Promise<Tag> {
  const tag = change.update(tags, await change.target(tags, id), patch)
  refuseTakenName(change, tag)
  return tag
}

export async function deleteTag(change: Change, id: string): Promise<void> {
  change.remove(tags, await change.target(tags, id))
}

const refuseTakenName = (change: Change, tag: Tag): void =>
  refuseTaken(change, tags, tag, 'name', () => findTagByName(change.db, change.tenantId, tag.name))
