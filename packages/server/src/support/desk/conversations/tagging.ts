import { invalidBody } from '../../../platform/kernel/errors.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { knownTags, tagsNamed, type UsedTag } from '../../catalogue/tags/actions.ts'
import { maxTags } from '../../vocabulary/conversations.ts'
import type { Conversation } from './queries.ts'
import type { TagChange } from './request-schema.ts'
import { saveConversation } from './save.ts'

/** Replaces all tags of a conversation. */
export async function replaceTags(
  change: Change,
  conversation: Conversation,
  names: string[],
): Promise<Conversation> {
  return retag(change, conversation, await tagsNamed(change, names, '/tags', idsOf(conversation)))
}

/** Adds tags to a conversation, then removes some; removing an absent tag changes nothing. */
export async function changeTags(
  change: Change,
  conversation: Conversation,
  { add = [], remove = [] }: TagChange,
): Promise<Conversation> {
  const added = await tagsNamed(change, add, '/add', idsOf(conversation))
  const removed = new Set((await knownTags(change, remove)).values().flatMap(({ all_ids }) => all_ids))
  const present = idsOf(conversation)
  const all = [...conversation.tags, ...added.filter(({ id }) => !present.includes(id))]
  const remaining = all.filter(({ id }) => !removed.has(id))
  if (remaining.length > maxTags) {
    const detail = `must not result in more than ${maxTags} tags`
    throw invalidBody({ pointer: '/add', code: 'too_long', detail })
  }
  return retag(change, conversation, remaining)
}

const retag = (change: Change, conversation: Conversation, tags: UsedTag[]): Promise<Conversation> =>
  saveConversation(change, conversation, { tags }, 'conversation.tags_changed')

const idsOf = ({ tags }: Conversation) => tags.map(({ id }) => id)
