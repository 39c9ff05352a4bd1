import type { Position } from '../../../../platform/journal/positions.ts'
import type { Instant } from '../../../../platform/kernel/clock.ts'
import type { Db } from '../../../../platform/postgres/database.ts'
import { freePlaces } from '../../conversations/followers/actions.ts'
import { followersOf, type StoredFollower } from '../../conversations/followers/queries.ts'
import {
  type EventToNotice,
  laterChanges,
  type PresentConversation,
  presentConversations,
} from './queries.ts'
import { formerId, operatorIn } from './requests.ts'

/** `until` is set for one who was taken out before it was noticed that they follow. */
type Following = Pick<StoredFollower, 'source' | 'since'> & { until?: Instant }

type Place = {
  assigneeId: string | null
  followers: Map<string, Following>
  /** When operators were taken out, as it is now. */
  out: Map<string, Instant>
  /** The places that followers have now, and those that are given by this batch. */
  taken: { place: number | null }[]
  mergedIntoId: string | null
}

export type NewFollower = Omit<StoredFollower, 'removed_at'>

/**
 * The assignees and followers of some conversations at each moment of the journal. It begins at a position: the present
 * state, without what has happened since. Then each event is applied.
 */
export class Desk {
  readonly #places: Map<string, Place>
  readonly followed: NewFollower[] = []

  private constructor(places: Map<string, Place>) {
    this.#places = places
  }

  static async at(db: Db, tenantId: string, ids: string[], from: Position | null): Promise<Desk> {
    const places = new Map<string, Place>()
    if (ids.length === 0) return new Desk(places)
    const rows = await withTargets(db, tenantId, ids)
    const stored = await followersOf(
      db,
      tenantId,
      rows.map(({ id }) => id),
    )
    // Read last: it has whatever the present state may have.
    const later = await laterChanges(db, tenantId, [...new Set([...ids, ...rows.map(({ id }) => id)])], from)
    for (const { id, assignee_id, merged_into_id } of rows)
      places.set(id, {
        assigneeId: assignee_id,
        followers: new Map(),
        out: new Map(),
        taken: [],
        mergedIntoId: merged_into_id,
      })
    for (const { conversation_id, operator_id, removed_at, source, since, place } of stored) {
      const at = places.get(conversation_id)
      if (removed_at !== null) at?.out.set(operator_id, removed_at)
      else {
        at?.followers.set(operator_id, { source, since })
        at?.taken.push({ place })
      }
    }
    for (const { stream_id, type, former_assignee, operator_id, source, since } of later) {
      const at = places.get(stream_id)
      const id = operatorIn(operator_id)
      if (!at) continue
      if (former_assignee !== null) at.assigneeId = formerId(former_assignee, 'op') ?? null
      if (type === 'conversation.follower_added' && id) at.followers.delete(id)
      if (type === 'conversation.follower_removed' && id)
        at.followers.set(id, { source: source!, since: since! })
    }
    return new Desk(places)
  }

  /** False for a conversation that was deleted. */
  has(conversationId: string): boolean {
    return this.#places.has(conversationId)
  }

  assigneeOf(conversationId: string): string | null {
    return this.#places.get(conversationId)?.assigneeId ?? null
  }

  /** Returns who is told what happens to a conversation at a time: its assignee, and its followers. */
  audienceOf(conversationId: string, at: Instant): Map<string, 'assignee' | 'follower'> {
    const place = this.#places.get(conversationId)
    const audience = new Map<string, 'assignee' | 'follower'>()
    if (!place) return audience
    if (place.assigneeId !== null) audience.set(place.assigneeId, 'assignee')
    for (const [id, { until }] of place.followers)
      if (!audience.has(id) && (until === undefined || at < until)) audience.set(id, 'follower')
    return audience
  }

  /** All who could be told of a conversation at some time of this batch. */
  everybody(): string[] {
    return [...this.#places.values()].flatMap(({ assigneeId, followers }) => [
      ...(assigneeId === null ? [] : [assigneeId]),
      ...followers.keys(),
    ])
  }

  apply({ type, stream_id, former_assignee, object }: EventToNotice): void {
    const place = this.#places.get(stream_id)
    if (!place || object === null) return
    if (type === 'conversation.created' || former_assignee !== null)
      place.assigneeId = operatorIn(object.assignee_id)
    const id = operatorIn(object.operator_id)
    if (type === 'conversation.follower_added' && id)
      place.followers.set(id, { source: object.source!, since: object.since! })
    if (type === 'conversation.follower_removed' && id) place.followers.delete(id)
  }

  /**
   * Lets an operator follow by what happened at a time, if there is room. After a merge, that is the conversation which
   * the other one was merged into.
   */
  follow(conversationId: string, operatorId: string, source: 'mention' | 'reply', since: Instant): void {
    const own = this.#places.get(conversationId)
    const id = own?.mergedIntoId ?? conversationId
    const place = this.#places.get(id)
    if (!place || place.followers.has(operatorId)) return
    const out = place.out.get(operatorId)
    if (out !== undefined && out > since) {
      place.followers.set(operatorId, { source, since, until: out })
      return
    }
    if (out !== undefined && (source === 'reply' || out === since)) return
    const free = freePlaces(place.taken)[0]
    if (free === undefined) return
    place.taken.push({ place: free })
    place.followers.set(operatorId, { source, since })
    this.followed.push({
      conversation_id: id,
      operator_id: operatorId,
      source,
      since,
      place: free,
    })
  }
}

/** Some conversations, and those that they have been merged into. */
async function withTargets(db: Db, tenantId: string, ids: string[]): Promise<PresentConversation[]> {
  const rows = await presentConversations(db, tenantId, ids)
  const known = new Set(rows.map(({ id }) => id))
  const targets = rows.flatMap(({ merged_into_id: id }) => (id === null || known.has(id) ? [] : [id]))
  return targets.length === 0 ? rows : [...rows, ...(await presentConversations(db, tenantId, targets))]
}
