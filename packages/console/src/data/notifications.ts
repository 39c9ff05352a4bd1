import type { Notification } from '@backline/sdk'
import { type InfiniteData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEnvironment } from './environment.tsx'
import { changeItems, changeRead } from './lists.ts'
import { isStored, useIsLive, useLiveEvents } from './live.tsx'

/** The notifications that are known to have been unread, in any order. `hasMore`: there are others. */
type Unread = { items: Notification[]; hasMore: boolean }

type Pages = InfiniteData<{ data: Notification[] }, string | undefined>

/** All reads of notifications. */
export const notificationsKey = ['notifications']
const unreadKey = [...notificationsKey, 'unread']
export const listsKey = [...notificationsKey, 'list']

/** More are not counted. */
export const mostCounted = 99

/** Events of several notifications have arrived by then. One that was merged into another or deleted has none. */
const settledAfterMs = 1_500

/** One request each time the stream is connected; the rest is in its events. */
function useUnreadQuery() {
  const { backline } = useEnvironment()
  return queryOptions<Unread>({
    queryKey: unreadKey,
    enabled: useIsLive(),
    staleTime: Number.POSITIVE_INFINITY,
    async queryFn({ signal }) {
      const query = { read: 'false', limit: mostCounted + 1 } as const
      const { data, has_more } = await backline.notifications.list(query, { signal })
      return { items: data, hasMore: has_more }
    },
  })
}

const unreadIn = ({ items }: Unread) => items.filter(({ read_at }) => read_at === null)

/** The number of unread notifications; `mostCounted + 1` stands for any larger one. */
export const useUnreadCount = (): number =>
  useQuery({
    ...useUnreadQuery(),
    select: (unread) => (unread.hasMore ? mostCounted + 1 : unreadIn(unread).length),
  }).data ?? 0

/** The same while its events arrive in another order. */
function withNewer(known: Unread, next: Notification): Unread {
  const before = known.items.find(({ id }) => id === next.id)
  if (before && before.version >= next.version) return known
  return { ...known, items: [...known.items.filter((each) => each !== before), next] }
}

/** Keeps what is shown of notifications up to date. */
export function useNotificationEvents(): void {
  const cache = useQueryClient()
  const isLive = useIsLive()
  const checking = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(checking.current), [])
  // Changes of notifications are stored nowhere in the stream: those of an outage are not repeated.
  useEffect(() => {
    clearTimeout(checking.current) // knows a number from before
    if (isLive) void cache.invalidateQueries({ queryKey: notificationsKey }, { cancelRefetch: false })
  }, [cache, isLive])
  useLiveEvents((event) => {
    if (event.type === 'conversation.deleted') void cache.invalidateQueries({ queryKey: notificationsKey })
    if (isStored(event) || event.type !== 'notification') return
    const { notification, unread: count } = event.data
    clearTimeout(checking.current)
    checking.current = setTimeout(() => {
      const unread = cache.getQueryData<Unread>(unreadKey)
      if (unread && !unread.hasMore && unreadIn(unread).length !== count)
        void cache.invalidateQueries({ queryKey: notificationsKey })
    }, settledAfterMs)
    const known = cache.getQueryData<Unread>(unreadKey)
    if (notification === null || (known?.hasMore && notification.read_at !== null))
      return void cache.invalidateQueries({ queryKey: notificationsKey })
    changeRead<Unread>(cache, unreadKey, (unread) => unread && withNewer(unread, notification))
    const isShown = cache
      .getQueriesData<Pages>({ queryKey: listsKey })
      .some(([, list]) => list?.pages.some(({ data }) => data.some((each) => isSameFact(each, notification))))
    if (!isShown) return void cache.invalidateQueries({ queryKey: listsKey })
    void cache.invalidateQueries({ queryKey: listsKey, type: 'inactive', refetchType: 'none' })
    // It was read, or is unread again: it keeps its place, and what has the focus stays.
    for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: listsKey }))
      changeRead<Pages>(
        cache,
        queryKey,
        (list) => list && changeItems(list, (each: Notification) => read(each, notification)),
      )
  })
}

const isSameFact = (one: Notification, other: Notification): boolean =>
  one.id === other.id &&
  one.notified_at === other.notified_at &&
  one.conversation_id === other.conversation_id

const read = (known: Notification, { id, read_at, version }: Notification): Notification =>
  known.id === id && known.version < version ? { ...known, read_at, version } : known

/**
 * Reads what is unread about a conversation once its newest message is on the screen: that it was assigned, say, for
 * which no message is unread.
 * @param upToSequence null while it is not
 */
export function useReadNotifications(conversationId: string, upToSequence: number | null): void {
  const { backline } = useEnvironment()
  const { data: facts = '' } = useQuery({
    ...useUnreadQuery(),
    select: (unread) =>
      unreadIn(unread)
        .filter(({ conversation_id }) => conversation_id === conversationId)
        .map(({ id, notified_at }) => `${id} ${notified_at}`)
        .concat(unread.hasMore ? 'more' : [])
        .join(),
  })
  const seen = useRef<string[]>([])
  useEffect(() => {
    if (upToSequence === null) return
    // Each fact once: what is marked as unread while the conversation is open stays so.
    const isNew = facts.split(',').some((fact) => fact !== '' && !seen.current.includes(fact))
    if (!isNew) return
    seen.current = facts.split(',')
    backline.conversations.markReadForMe(conversationId, { up_to_sequence: upToSequence }).catch(() => {
      seen.current = []
    })
  }, [backline, conversationId, upToSequence, facts])
}
