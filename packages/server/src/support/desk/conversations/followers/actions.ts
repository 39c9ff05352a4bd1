import { ApiError, invalidBody } from '../../../../platform/kernel/errors.ts'
import type { Change } from '../../../../platform/unit-of-work/change.ts'
import { operators } from '../../../team/operators/entity.ts'
import type { Operator } from '../../../team/operators/queries.ts'
import { maxFollowers } from '../../../vocabulary/conversations.ts'
import { conversations } from '../entity.ts'
import type { Conversation } from '../queries.ts'
import { followers } from './entity.ts'
import {
  deleteFollowers,
  type Follower,
  followersOf,
  keepOut,
  letIn,
  type StoredFollower,
  setFollowers,
} from './queries.ts'

/** Lets an operator follow a conversation. Has no effect for one who does. */
export async function addFollower(
  change: Change,
  id: string,
  operatorId: string,
): Promise<Follower | StoredFollower> {
  const { conversation, operator } = await bothOf(change, id, operatorId)
  if (operator.archived) {
    const detail = 'must not refer to an archived operator'
    throw invalidBody({ parameter: 'operator_id', code: 'not_allowed', detail })
  }
  const all = await followersOf(change.db, change.tenantId, [id])
  const known = all.find((each) => each.operator_id === operatorId)
  if (known?.removed_at === null) return known
  const present = all.filter(({ removed_at }) => removed_at === null)
  const place = freePlaces(present)[0]
  if (place === undefined) {
    const detail = `cannot add a follower: the conversation has ${maxFollowers}, the maximum`
    throw invalidBody({ pointer: '', code: 'too_large', detail })
  }
  if (known) change.effects.writeExpecting(letIn, known)
  return change.rows.create(
    followers,
    {
      ...rowOf(change, conversation),
      operator_id: operatorId,
      source: 'manual',
      since: change.now,
      place,
    },
    'conversation.follower_added',
  )
}

/** Takes an operator out, who then follows only if asked or mentioned again. */
export async function removeFollower(change: Change, id: string, operatorId: string): Promise<void> {
  const { conversation } = await bothOf(change, id, operatorId)
  const known = (await followersOf(change.db, change.tenantId, [id])).find(
    (each) => each.operator_id === operatorId,
  )
  if (!known)
    change.effects.writeExpecting(keepOut, {
      conversation_id: id,
      operator_id: operatorId,
      removed_at: change.now,
    })
  else if (known.removed_at === null)
    change.rows.remove(
      followers,
      { ...known, ...rowOf(change, conversation) },
      'conversation.follower_removed',
    )
}

async function bothOf(
  change: Change,
  id: string,
  operatorId: string,
): Promise<{ conversation: Conversation; operator: Operator }> {
  const conversation = await change.rows.load(conversations, id)
  const operator = await change.rows.find(operators, operatorId)
  if (!operator) throw new ApiError('not_found')
  if (conversation.merged_into_id !== null) throw new ApiError('conversation_closed')
  change.rows.guard(conversations, conversation) // it must not be merged meanwhile
  return { conversation, operator }
}

const rowOf = (change: Change, { id, created_at, version }: Conversation) => ({
  id,
  conversation_id: id,
  created_at,
  updated_at: change.now,
  version,
})

/** The places that no follower has, in order. */
export function freePlaces(present: Iterable<Pick<StoredFollower, 'place'>>): number[] {
  const taken = new Set([...present].map(({ place }) => place))
  return Array.from({ length: maxFollowers }, (_, i) => i + 1).filter((place) => !taken.has(place))
}

/**
 * Makes the followers of a conversation those of the one that it is merged into. Who follows both does so since the
 * earlier time; if there are too many, those who began last are dropped. Who was taken out of the target stays out.
 */
export async function mergeFollowers(
  change: Change,
  source: Conversation,
  target: Conversation,
): Promise<void> {
  const all = await followersOf(change.db, change.tenantId, [source.id, target.id])
  const coming = all.filter((each) => each.conversation_id === source.id && each.removed_at === null)
  if (coming.length === 0) return
  const own = all.filter((each) => each.conversation_id === target.id)
  const out = new Set(own.flatMap((each) => (each.removed_at === null ? [] : [each.operator_id])))
  const present = own.filter(({ removed_at }) => removed_at === null)
  const following = new Map(present.map((each) => [each.operator_id, each]))
  for (const each of coming) {
    const known = following.get(each.operator_id)
    if (out.has(each.operator_id) || (known && known.since <= each.since)) continue
    following.set(each.operator_id, {
      ...each,
      conversation_id: target.id,
      place: known?.place ?? null,
    })
  }
  const kept = [...following.values()]
    .toSorted((one, other) => (one.since < other.since ? -1 : 1))
    .slice(0, maxFollowers)
  const keptIds = new Set(kept.map(({ operator_id }) => operator_id))
  const dropped = present.filter(({ operator_id }) => !keptIds.has(operator_id))
  change.effects.write(deleteFollowers(change.tenantId, source.id, null))
  if (dropped.length > 0)
    change.effects.write(
      deleteFollowers(
        change.tenantId,
        target.id,
        dropped.map(({ operator_id }) => operator_id),
      ),
    )
  const free = freePlaces(kept)
  for (const each of kept) {
    if (present.includes(each)) continue
    change.effects.writeBatched(setFollowers, { ...each, place: each.place ?? free.shift()! })
  }
}
