import type { Change } from '../../../platform/unit-of-work/change.ts'
import { References } from '../../../platform/unit-of-work/references.ts'
import { conversations } from './entity.ts'
import { mergeFollowers } from './followers/actions.ts'
import { moved, transition } from './lifecycle.ts'
import { isSamePerson } from './person.ts'
import type { Conversation } from './queries.ts'
import { saveConversation } from './save.ts'

const pointer = '/into_id'

/** Closes a conversation in favour of another one of the same end user, whose message list can include both. */
export async function mergeConversation(
  change: Change,
  conversation: Conversation,
  intoId: string,
): Promise<Conversation> {
  const to = transition(conversation, 'merge')
  const references = new References(change)
  const target = await references.to(conversations, pointer, intoId)
  const fault = target && whyNotInto(conversation, target)
  if (fault) references.fault({ pointer, code: 'not_allowed', detail: fault })
  references.check()
  const merged = await saveConversation(
    change,
    conversation,
    { ...moved(conversation, to, change.now), merged_into_id: target!.id },
    'conversation.merged',
  )
  change.rows.bumpVersion(conversations, target!, 'conversation.updated')
  await mergeFollowers(change, conversation, target!)
  return merged
}

function whyNotInto(source: Conversation, target: Conversation): string | null {
  if (target.id === source.id) return 'must be another conversation'
  if (!isSamePerson(target.end_user, source.end_user)) return 'must be a conversation of the same end user'
  return target.status === 'closed' ? 'must not be closed' : null
}
