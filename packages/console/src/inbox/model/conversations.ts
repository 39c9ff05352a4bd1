import type { Conversation } from '@backline/sdk'
import {
  type InfiniteData,
  type QueryClient,
  queryOptions,
  skipToken,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { changeItems, changeRead } from '../../data/lists.ts'

export type ConversationPage = { data: Conversation[]; has_more: boolean; next_cursor: string | null }
export type ConversationPages = InfiniteData<ConversationPage, string | undefined>

export const lists = ['conversations', 'list'] as const

/** The objects that lists and single reads add to a conversation, as far as the role may read it. */
export function useIncluded(): Included[] {
  const { can } = useEnvironment()
  const mayReadPeople = can('end_users:read')
  const mayReadMessages = can('messages:read')
  return useMemo(
    () => [
      'read_state',
      'followers',
      ...(mayReadPeople ? (['end_user'] as const) : []),
      ...(mayReadMessages ? (['last_message'] as const) : []),
    ],
    [mayReadPeople, mayReadMessages],
  )
}

export type Included = 'read_state' | 'followers' | 'end_user' | 'last_message'

function useConversationQuery() {
  const { backline } = useEnvironment()
  const include = useIncluded()
  const cache = useQueryClient()
  return (id: string | null) =>
    queryOptions({
      queryKey: ['conversations', id],
      // The row of a list is shown at once, and read again.
      initialData: () => inLists(cache, id),
      initialDataUpdatedAt: 0,
      queryFn:
        id === null
          ? skipToken
          : async ({ signal }) => backline.conversations.retrieve(id, { include }, { signal }),
    })
}

export function useConversation(id: string | null) {
  return useQuery(useConversationQuery()(id))
}

/** Those of the conversations that are known. */
export function useConversations(ids: string[]): Conversation[] {
  const queryOf = useConversationQuery()
  return useQueries({ queries: ids.map(queryOf) }).flatMap(({ data }) => data ?? [])
}

const inLists = (cache: QueryClient, id: string | null): Conversation | undefined =>
  cache
    .getQueriesData<ConversationPages>({ queryKey: lists })
    .flatMap(([, list]) => list?.pages ?? [])
    .flatMap(({ data }) => data.filter((each) => each.id === id))
    .sort((a, b) => b.version - a.version)[0]

/** The newer of both. Events have nothing included: a person is kept while it is the same one. */
export function newer(known: Conversation, next: Conversation): Conversation {
  if (next.version < known.version) return known
  const end_user = next.end_user ?? (next.end_user_id === known.end_user_id ? known.end_user : undefined)
  return {
    ...next,
    end_user,
    read_state: next.read_state ?? known.read_state,
    follower_ids: next.follower_ids ?? known.follower_ids,
    last_message: next.last_message === undefined ? known.last_message : next.last_message,
  }
}

/**
 * Changes a conversation wherever it is shown.
 * @param change gives the same when it is made twice
 */
export function patchConversation(
  cache: QueryClient,
  id: string,
  change: (known: Conversation) => Conversation,
): void {
  changeRead<Conversation>(cache, ['conversations', id], (known) => known && change(known))
  const inList = (list: ConversationPages | undefined) =>
    list && changeItems(list, (each: Conversation) => (each.id === id ? change(each) : each))
  for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: lists }))
    changeRead(cache, queryKey, inList)
}
