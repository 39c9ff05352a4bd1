import type { Presence } from '@backline/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useLiveEvents } from '../../data/live.tsx'

export type Colleague = Pick<Presence, 'operator_id' | 'state' | 'expires_at'>

const isOver = ({ expires_at }: Colleague): boolean => Date.parse(expires_at) <= Date.now()

/** The other operators who look at a conversation or reply; those who come later are at the end. */
export function useColleagues(conversationId: string): Colleague[] {
  const { backline, operator } = useEnvironment()
  const cache = useQueryClient()
  const key = useMemo(() => ['conversations', conversationId, 'presence'], [conversationId])
  const { data } = useQuery({
    queryKey: key,
    staleTime: 0,
    gcTime: 0, // it is kept up to date only while it is shown
    queryFn: async ({ signal }): Promise<Colleague[]> =>
      (await backline.conversations.presence.list(conversationId, {}, { signal })).data,
  })
  useLiveEvents((event) => {
    if (event.type !== 'presence' || event.data.conversation_id !== conversationId) return
    const { operator_id, state, expires_at } = event.data
    cache.setQueryData<Colleague[]>(key, (known = []) => {
      const isSame = (each: Colleague) => each.operator_id === operator_id
      if (state === 'away') return known.filter((each) => !isSame(each))
      const now = { operator_id, state, expires_at }
      return known.some(isSame) ? known.map((each) => (isSame(each) ? now : each)) : [...known, now]
    })
  })
  useEffect(() => {
    if (!data || data.length === 0) return
    const next = Math.min(...data.map(({ expires_at }) => Date.parse(expires_at)))
    const leave = () =>
      cache.setQueryData<Colleague[]>(key, (known) => known?.filter((each) => !isOver(each)))
    const timer = setTimeout(leave, Math.max(0, next - Date.now()))
    return () => clearTimeout(timer)
  }, [cache, key, data])
  return useMemo(
    () => (data ?? []).filter((each) => each.operator_id !== operator.id && !isOver(each)),
    [data, operator.id],
  )
}
