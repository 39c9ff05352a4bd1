import type { Conversation } from '@backline/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { changeRead, usePages } from '../../data/lists.ts'
import { useLiveEvents } from '../../data/live.tsx'
import { isNamed, type ListRequest, useReadList } from '../filter/use-read-list.ts'
import { type ConversationPages, lists, newer, useIncluded } from '../model/conversations.ts'
import { conversationOf, isOfFollower, messageOf } from '../model/live.ts'
import { belongsTo } from '../views/built-in.ts'
import { compareBy } from '../views/order.ts'

const pageSize = 50
const readAgainMs = 3_000

type Options = ListRequest & {
  /** The open conversation stays in the list until another is opened. */
  openId: string | null
  /**
   * Whether somebody looks at the first rows without working on them. Only then do rows move, and new ones appear, by
   * themselves.
   */
  isWatched: () => boolean
}

/** The conversations of a view, kept up to date by events. */
export function useConversationList({ view, conditions, sort, q, openId, isWatched }: Options) {
  const { backline, operator } = useEnvironment()
  const include = useIncluded()
  const cache = useQueryClient()
  const name = view.builtIn ? view.builtIn.name : view.saved.id
  const key = useMemo(() => [...lists, { view: name, sort, q, conditions }], [name, sort, q, conditions])
  const readList = useReadList()
  const [waiting, setWaiting] = useState<Conversation[]>([])
  const shownKey = useRef<unknown>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const request = { view, conditions, q, sort }
  const read = (cursor: string | undefined, signal?: AbortSignal) =>
    readList(request, { limit: pageSize, include, cursor }, signal)
  const query = usePages(key, read)
  const known = useMemo(() => new Map(query.items.map((each) => [each.id, each])), [query.items])

  const belongs = (conversation: Conversation): boolean =>
    !view.builtIn || belongsTo(view.builtIn, conversation, operator.id) || isNamed(q, conversation)
  const isListed = (conversation: Conversation): boolean =>
    belongs(conversation) || conversation.id === openId
  const items = query.items.filter(isListed)

  /**
   * Puts conversations into the first page, in the order of the list.
   * @param sorts false leaves the others where they are
   */
  const insert = (added: Conversation[], sorts = true) =>
    changeRead<ConversationPages>(cache, key, (list) => {
      const [first] = list?.pages ?? []
      if (!list || !first) return list
      const have = new Set(list.pages.flatMap(({ data }) => data.map(({ id }) => id)))
      const compare = compareBy(sort)
      const data = [...first.data]
      for (const each of added.filter(({ id }) => !have.has(id))) {
        const before = data.findIndex((other) => compare(each, other) < 0)
        data.splice(before < 0 ? data.length : before, 0, each)
      }
      return { ...list, pages: list.pages.with(0, { ...first, data: sorts ? data.sort(compare) : data }) }
    })

  const remove = (ids: Set<string>) =>
    changeRead<ConversationPages>(cache, key, (list) =>
      list?.pages.some(({ data }) => data.some(({ id }) => ids.has(id)))
        ? {
            ...list,
            pages: list.pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => !ids.has(id)) })),
          }
        : list,
    )

  /** New conversations of the view, and those that have come back to it. */
  const arrived = (conversations: Conversation[]) => {
    if (conversations.length === 0 || shownKey.current !== key) return
    if (isWatched()) return insert(conversations)
    const ids = new Set(conversations.map(({ id }) => id))
    remove(ids)
    setWaiting((before) => [...before.filter(({ id }) => !ids.has(id)), ...conversations])
  }
  const forget = (id: string) =>
    setWaiting((before) =>
      before.some((each) => each.id === id) ? before.filter((each) => each.id !== id) : before,
    )

  const opened = waiting.find(({ id }) => id === openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Once for each conversation that is opened.
  useEffect(() => {
    if (!opened) return
    insert([opened], false)
    forget(opened.id)
  }, [opened])

  /**
   * Filters of saved views, searches and automatic followers are decided by the server: their first page is read
   * again.
   */
  const readAgain = () => {
    timer.current ??= setTimeout(async () => {
      timer.current = undefined
      const page = await Promise.resolve(read(undefined)).catch(() => null)
      const before = cache.getQueryData<ConversationPages>(key)
      if (!page || !before || shownKey.current !== key) return
      const have = new Map(before.pages.flatMap(({ data }) => data.map((each) => [each.id, each] as const)))
      const fresh = new Map(page.data.map((each) => [each.id, each]))
      const gone = (each: Conversation) =>
        !fresh.has(each.id) && each.id !== openId && (!page.has_more || before.pages.length === 1)
      cache.setQueryData<ConversationPages>(key, (list) => {
        if (!list) return list
        const pages = list.pages.map((old) => ({
          ...old,
          data: old.data.flatMap((each) => (gone(each) ? [] : [newer(each, fresh.get(each.id) ?? each)])),
        }))
        return { ...list, pages }
      })
      arrived(page.data.filter(({ id }) => !have.has(id)))
    }, readAgainMs)
  }

  useLiveEvents((event) => {
    const conversation = conversationOf(event)
    const message = messageOf(event)
    const id = conversation?.id ?? message?.conversation_id
    if (id === undefined && !isOfFollower(event)) return
    if (!view.builtIn || view.builtIn.isFollowed || q !== '' || conditions.length > 0) return readAgain()
    if (id === undefined) return
    const before = known.get(id)
    if (before) {
      // The other listeners bring the conversation up to date first.
      if (conversation && belongs(conversation) && !isListed(before)) arrived([newer(before, conversation)])
      else if (isWatched() && event.type === 'message.created') queueMicrotask(() => insert([]))
      return
    }
    if (conversation && belongs(conversation)) void withPerson(conversation).then((each) => arrived([each]))
    else if (conversation) forget(id)
    else if (message && event.type === 'message.created')
      void backline.conversations
        .retrieve(id, { include })
        .then((each) => belongs(each) && arrived([each]))
        .catch(() => undefined)
  })

  const withPerson = async (conversation: Conversation): Promise<Conversation> =>
    include
      ? await Promise.resolve(backline.conversations.retrieve(conversation.id, { include })).catch(
          () => conversation,
        )
      : conversation

  // A list that is not shown gets no events: it keeps its first page, and is read again when it is shown.
  useEffect(() => {
    setWaiting([])
    shownKey.current = key
    return () => {
      shownKey.current = null
      clearTimeout(timer.current)
      timer.current = undefined
      cache.setQueryData<ConversationPages>(
        key,
        (list) => list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) },
      )
      void cache.invalidateQueries({ queryKey: key, refetchType: 'none' })
    }
  }, [cache, key])

  const shown = new Set(items.map(({ id }) => id))
  const pending = waiting.filter((each) => !shown.has(each.id) && belongs(each))
  return {
    ...query,
    items,
    waitingCount: pending.length,
    showWaiting() {
      insert(pending)
      setWaiting([])
    },
  }
}
