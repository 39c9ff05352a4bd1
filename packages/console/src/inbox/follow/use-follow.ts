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
  const waiting = useRef(new Set<string>())
  async function readLater(id: string, expected: string[]): Promise<void> {
    if (waiting.current.has(id)) return
    waiting.current.add(id)
    for (const ms of noticedMs) {
      await new Promise((resolve) => setTimeout(resolve, ms))
      const read = await backline.conversations.retrieve(id, { include: 'followers' }).catch(() => null)
      const follower_ids = read?.follower_ids
      if (!follower_ids) continue
      patchConversation(cache, id, (known) => ({ ...known, follower_ids }))
      if (expected.every((each) => follower_ids.includes(each))) break
    }
    waiting.current.delete(id)
    void cache.invalidateQueries({ queryKey: countsKey })
  }
  useLiveEvents((event) => {
    if (!isStored(event)) return
    if (event.type === 'conversation.follower_added' || event.type === 'conversation.follower_removed') {
      const { conversation_id: id, operator_id } = event.data.object
      putFollower(cache, id, operator_id, event.type === 'conversation.follower_added')
      putEvent(cache, id, event)
    }
    if (event.type !== 'message.created') return
    const { conversation_id: id, operator_id: author, visibility, mentions } = event.data.object
    const perhaps = visibility === 'public' && author ? [...mentions, author] : mentions
    const known = cache.getQueryData<Conversation>(['conversations', id])?.follower_ids
    const isNew = (each: string) => (known ? !known.includes(each) : each === operator.id)
    const expected = perhaps.filter(isNew)
    if (expected.length > 0) void readLater(id, expected)
  })
}
