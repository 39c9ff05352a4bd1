import type { Conversation } from '@backline/sdk'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { countsKey } from '../../data/counts.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { isStored, useLiveEvents } from '../../data/live.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { patchConversation } from '../model/conversations.ts'
import { inOrder } from '../model/in-order.ts'
import { putEvent } from '../model/messages.ts'
import { texts } from './texts.ts'

function putFollower(cache: QueryClient, id: string, operatorId: string, follows: boolean): void {
  patchConversation(cache, id, (known) => {
    const { follower_ids: before = [] } = known
    if (before.includes(operatorId) === follows) return known
    const others = before.filter((each) => each !== operatorId)
    return { ...known, follower_ids: follows ? [...others, operatorId] : others }
  })
}

/** Lets an operator follow the conversation, or no longer. It is shown before the server has answered. */
export function useFollow(id: string): (operatorId: string, follows: boolean) => void {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const toast = useToast()
  return (operatorId, follows) => {
    const { followers } = backline.conversations
    putFollower(cache, id, operatorId, follows)
    void inOrder(id, async () => {
      await (follows ? followers.add(id, operatorId) : followers.remove(id, operatorId))
    }).catch((error) => {
      putFollower(cache, id, operatorId, !follows)
      toast.failed({ title: text.followFailed, detail: reasonOf(error) })
    })
  }
}

/**
 * Those who are mentioned or answer become followers without an event: within two seconds, unless the server is busy or
 * they do not want it.
 */
const noticedMs = [2_000, 4_000, 8_000]

/** Brings the followers of conversations up to date. */
export function useFollowerEvents(): void {
  const cache = useQueryClient()
  const { backline, operator } = useEnvironment()
  /** Operators who are expected to follow, by conversation. */
  const waiting = useRef(new Map<string, Set<string>>())
  /** Operators who did not follow by an answer, as `${conversation} ${operator}`, and so will not by the next one. */
  const out = useRef(new Set<string>())
  async function readLater(id: string, expected: string[]): Promise<void> {
    const known = waiting.current.get(id)
    for (const each of expected) known?.add(each)
    if (known) return
    const missing = new Set(expected)
    waiting.current.set(id, missing)
    for (const ms of noticedMs) {
      await new Promise((resolve) => setTimeout(resolve, ms))
      const read = await backline.conversations.retrieve(id, { include: 'followers' }).catch(() => null)
      const follower_ids = read?.follower_ids
      if (!follower_ids) continue
      patchConversation(cache, id, (known) => ({ ...known, follower_ids }))
      for (const each of follower_ids) missing.delete(each)
      if (missing.size === 0) break
    }
    waiting.current.delete(id)
    for (const each of missing) out.current.add(`${id} ${each}`)
    void cache.invalidateQueries({ queryKey: countsKey })
  }
  useLiveEvents((event) => {
    if (!isStored(event)) return
    if (event.type === 'conversation.follower_added' || event.type === 'conversation.follower_removed') {
      const { conversation_id: id, operator_id } = event.data.object
      putFollower(cache, id, operator_id, event.type === 'conversation.follower_added')
      putEvent(cache, id, event)
      out.current.delete(`${id} ${operator_id}`)
    }
    if (event.type !== 'message.created') return
    const { conversation_id: id, operator_id: author, visibility, mentions } = event.data.object
    const follows = visibility === 'public' && author !== null && !out.current.has(`${id} ${author}`)
    const perhaps = follows ? [...mentions, author] : mentions
    const known = cache.getQueryData<Conversation>(['conversations', id])?.follower_ids
    const isNew = (each: string) => (known ? !known.includes(each) : each === operator.id)
    const expected = perhaps.filter(isNew)
    if (expected.length > 0) void readLater(id, expected)
  })
}
