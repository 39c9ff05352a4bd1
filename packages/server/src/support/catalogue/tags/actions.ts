import { ApiError } from '../../../platform/kernel/errors.ts'
import { typeId } from '../../../platform/kernel/ids.ts'
import { nameKey } from '../../../platform/kernel/names.ts'
import { restructure } from '../../../platform/trees/trees.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { tags } from './entity.ts'
import {
  countUses,
  deleteAliases,
  deleteKnowledgeUses,
  findTagByName,
  findTagsByName,
  insertKnowledgeUses,
  passOnAliases,
  type Tag,
} from './queries.ts'
import type { NewTag, TagPatch } from './schema.ts'

export function createTag(change: Change, input: NewTag): Tag {
  const tag = makeTag(change, input)
  refuseTakenName(change, tag)
  return tag
}

const makeTag = (change: Change, input: NewTag): Tag =>
  change.rows.create(tags, {
    ...change.stamp(),
    name: input.name,
    color: input.color ?? null,
    description: input.description ?? null,
    archived: input.archived ?? false,
    merged_into_id: null,
    usage_count: 0,
  })

/** A new name applies everywhere at once: conversations store the tag, not its name. */
export async function updateTag(change: Change, id: string, patch: TagPatch): Promise<Tag> {
  const tag = change.rows.update(tags, await change.rows.load(tags, id), patch)
  refuseTakenName(change, tag)
  return tag
}

export async function deleteTag(change: Change, id: string): Promise<void> {
  change.rows.remove(tags, await change.rows.load(tags, id))
  change.effects.write(deleteAliases(change.tenantId, id))
}

/**
 * Merges a tag into another one, which replaces it everywhere; its name becomes an alias. Returns the other tag.
 */
export async function mergeTag(change: Change, id: string, intoId: string): Promise<Tag> {
  await restructure(change, 'tags') // so that no alias has an alias
  const source = await change.rows.load(tags, id)
  const references = new References(change)
  const target = await references.to(tags, '/into_id', intoId)
  if (target?.id === source.id)
    references.fault({ pointer: '/into_id', code: 'not_allowed', detail: 'must be another tag' })
  references.check()
  change.rows.guard(tags, target!)
  change.effects.write(passOnAliases(change.tenantId, source.id, target!.id))
  change.rows.update(tags, source, { merged_into_id: target!.id }, 'tag.merged')
  return { ...target!, usage_count: await countUses(change.db, change.tenantId, [source.id, target!.id]) }
}

/** A tag of a conversation. */
export type UsedTag = { id: string; name: string }

type KnownTag = UsedTag & { archived: boolean; all_ids: string[] }

/** The tags with these names, by name key, including tags that this change creates. */
export async function knownTags(change: Change, names: string[]): Promise<Map<string, KnownTag>> {
  if (names.length === 0) return new Map()
  const stored = await findTagsByName(change.db, change.tenantId, names)
  const known = new Map<string, KnownTag>(stored.map((tag) => [tag.key, tag]))
  const keys = new Set(names.map(nameKey))
  for (const tag of change.rows.created(tags)) {
    const key = nameKey(tag.name)
    if (keys.has(key)) known.set(key, { ...tag, all_ids: [tag.id] })
  }
  return known
}

/**
 * The tags with these names, in order and without duplicates; creates missing ones.
 * @param kept ids of tags that the object already has, which may be archived
 * @param references receives an error at `pointer/<i>` for an archived tag
 * @throws ApiError 422 for an archived tag, if there are no `references`
 */
export async function tagsNamed(
  change: Change,
  names: string[],
  pointer: string,
  kept: string[],
  references?: References,
): Promise<UsedTag[]> {
  const known = await knownTags(change, names)
  const told = references ?? new References(change)
  const found = new Map<string, UsedTag>()
  for (const [i, name] of names.entries()) {
    const key = nameKey(name)
    // The next attempt finds a tag that was created meanwhile.
    const tag: UsedTag & { archived: boolean } = known.get(key) ?? makeTag(change, { name })
    known.set(key, { ...tag, all_ids: [tag.id] })
    if (tag.archived && !kept.includes(tag.id)) {
      const detail = 'must not be an archived tag'
      told.fault({ pointer: `${pointer}/${i}`, code: 'not_allowed', detail })
    }
    found.set(tag.id, { id: tag.id, name: tag.name })
  }
  if (!references) told.check()
  return [...found.values()]
}

type StoredTag = UsedTag & { stored_id?: string }

/** Stores the tags of an article or FAQ; an alias is stored as its tag. */
export function recordKnowledgeUses(
  change: Change,
  subjectId: string,
  before: StoredTag[],
  after: StoredTag[],
): void {
  const former = new Set(before.map(({ id, stored_id }) => stored_id ?? id))
  const present = new Set(after.map(({ id }) => id))
  const [gone, added] = [former.difference(present), present.difference(former)]
  if (gone.size > 0) change.effects.write(deleteKnowledgeUses(change.tenantId, subjectId, [...gone]))
  if (added.size > 0) change.effects.write(insertKnowledgeUses(change.tenantId, subjectId, [...added]))
}

/**
 * Rejects a duplicate name of a tag that a client creates directly. A tag that is created with a conversation is
 * looked up again instead if a concurrent request has created it, so the entity does not declare its name as unique.
 */
function refuseTakenName(change: Change, tag: Tag): void {
  change.onDuplicate(async () => {
    const owner = await findTagByName(change.db, change.tenantId, tag.name)
    if (owner && owner.row_id !== tag.id)
      throw new ApiError('already_exists', { id: typeId('tag', owner.id), field: 'name' })
  })
}
