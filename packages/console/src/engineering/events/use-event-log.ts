import type { Backline } from '@backline/sdk'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { isStored, useIsLive, useLiveEvents } from '../../data/live.tsx'
import { eventIdOf } from '../shared/ids.ts'
import { type Filters, passes } from './filters.ts'
import { type Row, rowOfEntry, rowOfEvent } from './rows.ts'

const limit = 100
/** New events are shown together at this interval, so that a busy stream leaves time for the page. */
const everyMs = 250
/** More new events than this are dropped, and the log is read again from its end. */
const mostNew = 2_000
/** The events of a conversation are read whole, because the feed lists the oldest first. */
export const mostOfConversation = 2_000

type Page = { data: Row[]; has_more: boolean; next_cursor: string | null }

async function auditPage(
  backline: Backline,
  { types, resource }: Filters,
  cursor: string | undefined,
): Promise<Page> {
  const page = await backline.auditLog.list({
    limit,
    cursor,
    action: types.length > 0 ? types : undefined,
    target_id: resource || undefined,
  })
  return { ...page, data: page.data.map((entry) => rowOfEntry(entry, eventIdOf(entry.id))) }
}

async function wholeConversation(
  backline: Backline,
  { types, resource, conversation }: Filters,
  signal: AbortSignal,
): Promise<Page> {
  const query = {
    limit,
    conversation_id: conversation,
    resource_id: resource || undefined,
    types: types.length > 0 ? types : undefined,
  }
  const rows: Row[] = []
  for await (const event of backline.events.list(query, { signal })) {
    rows.unshift(rowOfEvent(event))
    if (rows.length >= mostOfConversation) break
  }
  return { data: rows, has_more: false, next_cursor: null }
}

/** The journal, newest first: what was before, page by page, and what comes, as it comes. */
export function useEventLog(filters: Filters, isPaused: boolean) {
  const { backline } = useEnvironment()
  const isLive = useIsLive()
  const [openedAt, setOpenedAt] = useState(() => Date.now())
  const [fresh, setFresh] = useState<Row[]>([])
  const [waiting, setWaiting] = useState(0)
  const arrived = useRef<Row[]>([])
  const { types, resource, conversation } = filters
  const shape = JSON.stringify([types, resource, conversation])

  // Each visit reads again: events may have passed while the page was closed, or the stream was not connected.
  const history = usePages(['audit_log', 'list', 'events', shape, openedAt], (cursor, signal) =>
    conversation === '' ? auditPage(backline, filters, cursor) : wholeConversation(backline, filters, signal),
  )

  const wasLive = useRef(isLive)
  useEffect(() => {
    if (isLive && !wasLive.current) setOpenedAt(Date.now())
    wasLive.current = isLive
  }, [isLive])

  // biome-ignore lint/correctness/useExhaustiveDependencies: Other filters, or another reading, begin anew.
  useEffect(() => {
    arrived.current = []
    setFresh([])
    setWaiting(0)
  }, [shape, openedAt])

  useLiveEvents((event) => {
    if (isStored(event) && passes(event, filters)) arrived.current.unshift(rowOfEvent(event))
  })

  useEffect(() => {
    const timer = setInterval(() => {
      const { length } = arrived.current
      if (length > mostNew) return setOpenedAt(Date.now())
      setWaiting(isPaused ? length : 0)
      if (isPaused || length === 0) return
      const added = arrived.current
      arrived.current = []
      setFresh((was) => [...added, ...was])
    }, everyMs)
    return () => clearInterval(timer)
  }, [isPaused])

  const rows = useMemo(() => {
    const known = new Set(history.items.map(({ id }) => id))
    return [...fresh.filter(({ id }) => !known.has(id)), ...history.items]
  }, [fresh, history.items])
  return { history, rows, waiting, isLive }
}
