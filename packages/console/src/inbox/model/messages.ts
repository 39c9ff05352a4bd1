import type { Backline, Conversation, Event, Message } from '@backline/sdk'
import {
  type InfiniteData,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { changeItems, changeRead, pagesQuery, usePages } from '../../data/lists.ts'

export type MessagePages = InfiniteData<
  { data: Message[]; has_more: boolean; next_cursor: string | null },
  string | undefined
>

const pageSize = 40

const messagesKey = (id: string) => ['conversations', id, 'messages']

const reading = (backline: Backline, id: string) => (cursor: string | undefined, signal: AbortSignal) =>
  backline.conversations.messages.list(
    id,
    { sort: '-sequence', include: 'merged', limit: pageSize, cursor },
    { signal },
  )

/** The messages of a conversation and of those that were merged into it, the newest first. */
export function useMessages(id: string) {
  const { backline } = useEnvironment()
  return usePages(messagesKey(id), reading(backline, id))
}

/** True once the newest messages have been read, or if the role may not read them. */
export function useAreMessagesRead(id: string): boolean {
  const { backline, can } = useEnvironment()
  const { isPending } = useInfiniteQuery({
    ...pagesQuery(messagesKey(id), reading(backline, id)),
    enabled: false,
  })
  return !isPending || !can('messages:read')
}

/** Asks for the newest messages of a conversation that is about to be opened, while the page is still drawn. */
export function useReadAhead(): (id: string) => void {
  const { backline, can } = useEnvironment()
  const cache = useQueryClient()
  const isAllowed = can('messages:read')
  return useCallback(
    (id) => {
      if (isAllowed) void cache.prefetchInfiniteQuery(pagesQuery(messagesKey(id), reading(backline, id)))
    },
    [cache, backline, isAllowed],
  )
}

export function useScheduled(id: string) {
  const { backline } = useEnvironment()
  return useQuery({
    queryKey: ['conversations', id, 'scheduled'],
    queryFn: async ({ signal }) => {
      const { data } = await backline.conversations.messages.list(
        id,
        { scheduled: 'true', limit: 100 },
        { signal },
      )
      return data
    },
  })
}

/** The events of a conversation, oldest first, without its messages. `cursor` continues it. */
export type Timeline = { events: Event[]; cursor: string | undefined }

const mostPages = 50

/** @param isReady false while something more urgent is read: a long timeline has many pages */
export function useTimeline(id: string, isReady: boolean) {
  const { backline } = useEnvironment()
  return useQuery({
    queryKey: ['conversations', id, 'timeline'],
    enabled: isReady,
    structuralSharing: false,
    queryFn: async ({ signal }): Promise<Timeline> => {
      const events: Event[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page++) {
        const read = await backline.conversations.timeline.list(id, { limit: 100, cursor }, { signal })
        events.push(...read.data.filter(isOfConversation))
        if (!read.next_cursor) break
        cursor = read.next_cursor
      }
      return { events, cursor }
    },
  })
}

const isOfConversation = ({ resource }: Event): boolean => resource.type === 'conversation'

/** Puts a message into the cache where it belongs, once. */
export function putMessage(cache: QueryClient, message: Message): void {
  changeRead<MessagePages>(cache, messagesKey(message.conversation_id), (list) => {
    const [first] = list?.pages ?? []
    if (!list || !first) return list
    if (!list.pages.some(({ data }) => data.some(({ id }) => id === message.id)))
      return { ...list, pages: list.pages.with(0, { ...first, data: insertInOrder(first.data, message) }) }
    return changeItems(list, (each: Message) =>
      each.id === message.id && each.version <= message.version ? message : each,
    )
  })
}

const insertInOrder = (newestFirst: Message[], message: Message): Message[] =>
  [message, ...newestFirst].sort((a, b) => compare(b.created_at, a.created_at) || b.sequence! - a.sequence!)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export function putEvent(cache: QueryClient, id: string, event: Event): void {
  changeRead<Timeline>(cache, ['conversations', id, 'timeline'], (timeline) =>
    !timeline || timeline.events.some((each) => each.id === event.id)
      ? timeline
      : { ...timeline, events: [...timeline.events, event] },
  )
}

/** A colleague has written to the end user. */
export const isAnswerOfColleague = (
  { author_side, visibility, operator_id }: Message,
  ownId: string,
): boolean => author_side === 'operator' && visibility === 'public' && operator_id !== ownId

/** Finds the answers of colleagues after a number of messages, the newest first; by default since the first call. */
export function useAnswersOfColleagues({ id, message_count }: Conversation) {
  const { operator } = useEnvironment()
  const cache = useQueryClient()
  const [seenAtFirst] = useState(message_count)
  return (seenCount = seenAtFirst): Message[] =>
    (cache.getQueryData<MessagePages>(messagesKey(id))?.pages ?? []).flatMap(({ data }) =>
      data.filter(
        (each) =>
          each.conversation_id === id &&
          (each.sequence ?? 0) > seenCount &&
          isAnswerOfColleague(each, operator.id),
      ),
    )
}
