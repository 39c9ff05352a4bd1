import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { changeItems } from '../../data/lists.ts'
import { isStored, useLiveEvents, useStaleAfterwards } from '../../data/live.tsx'
import { isThere } from '../../data/removals.ts'

const waitMs = 2_000

/** Reads queries again soon, once for events that come together. */
export function useRefreshSoon(): (queryKey: QueryKey) => void {
  const cache = useQueryClient()
  const waiting = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useEffect(() => {
    const timers = waiting.current
    return () => timers.forEach(clearTimeout)
  }, [])
  return (queryKey) => {
    const name = JSON.stringify(queryKey)
    if (waiting.current.has(name)) return
    const read = () => {
      waiting.current.delete(name)
      void cache.invalidateQueries({ queryKey })
    }
    waiting.current.set(name, setTimeout(read, waitMs))
  }
}

type Known = { id: string; version: number }
type Pages = { pages: { data: Known[] }[] }

/** The lists of both kinds, by the type of their events. */
const pathOf: Partial<Record<string, string>> = { end_user: 'end_users', company: 'companies' }
const shownKeys = [['end_users'], ['companies'], ['conversations', 'related']]

/** The key of the lists of these pages. */
export const listKey = (path: string): QueryKey => [path, 'pages']

/** Keeps people and companies up to date, by their events and by a read where an event is not enough. */
export function usePeopleEvents(): void {
  useStaleAfterwards(shownKeys)
  const cache = useQueryClient()
  const refreshSoon = useRefreshSoon()
  useLiveEvents((event) => {
    if (!isStored(event)) return
    const path = pathOf[event.resource.type]
    if (path === undefined) return
    void cache.invalidateQueries({ queryKey: [path, event.resource.id], predicate: isThere })
    const isUpdate = event.type.endsWith('.updated')
    // Companies count their people.
    if (path === 'end_users' && (!isUpdate || 'company_ids' in event.data.previous))
      refreshSoon(['companies'])
    if (!isUpdate) return refreshSoon(listKey(path))
    const now = event.data.object as Known
    for (const { queryKey } of cache.getQueryCache().findAll({ queryKey: listKey(path) }))
      cache.setQueryData<Pages>(
        queryKey,
        (list) =>
          list &&
          changeItems(list, (each: Known) => (each.id === now.id && each.version < now.version ? now : each)),
      )
  })
}
