import type { Backline } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { isStored, useLiveEvents } from '../../data/live.tsx'
import { useEnvironmentNow } from '../../data/now.ts'
import { Loaded } from '../../design/Lists.tsx'
import { Section } from '../../design/Page.tsx'
import { useTexts } from '../../texts/language.tsx'
import { RateChart } from './RateChart.tsx'
import { texts } from './texts.ts'

const minuteMs = 60_000
const minutes = 30
const limit = 100
/** A busy environment has more events in the time of the chart than are worth reading. */
const mostPages = 20

type Recent = { times: [id: string, atMs: number][]; isCut: boolean }

/** The times of the events of the last minutes, newest first. */
async function recent(backline: Backline, sinceMs: number, signal: AbortSignal): Promise<Recent> {
  const times: Recent['times'] = []
  let cursor: string | undefined
  for (let pages = 0; pages < mostPages; pages++) {
    const page = await backline.auditLog.list({ limit, cursor, created_after: new Date(sinceMs) }, { signal })
    for (const { id, created_at: at } of page.data) times.push([id.slice(4), Date.parse(at)])
    if (!page.has_more) return { times, isCut: false }
    cursor = page.next_cursor ?? undefined
  }
  return { times, isCut: true }
}

export function EventRate() {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const nowMs = useEnvironmentNow()
  const [fresh, setFresh] = useState<Recent['times']>([])
  const thisMinute = Math.floor(nowMs / minuteMs)
  const since = (thisMinute - minutes + 1) * minuteMs
  const query = useQuery({
    queryKey: ['audit_log', 'recent'],
    queryFn: ({ signal }) => recent(backline, since, signal),
    staleTime: 0,
  })
  const { refetch, isFetched } = query
  const isFar = query.data !== undefined && query.data.times.length === 0 && fresh.length === 0
  // A test clock that is read later moves the window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: Only for another window.
  useEffect(() => {
    if (isFetched && isFar) void refetch()
  }, [since])
  useLiveEvents((event) => {
    if (!isStored(event)) return
    setFresh((was) => [...was.slice(-5_000), [event.id.slice(4), Date.parse(event.created_at)]])
  })
  const counts = useMemo(() => {
    const all = new Map([...(query.data?.times ?? []), ...fresh])
    const bars = Array.from({ length: minutes }, () => 0)
    for (const atMs of all.values()) {
      const place = Math.floor((atMs - since) / minuteMs)
      if (place >= 0 && place < minutes) bars[place]!++
    }
    return bars
  }, [query.data, fresh, since])
  return (
    <Section title={text.perMinute} actions={<Link href="/events">{text.openLog}</Link>}>
      <Loaded query={query}>
        {({ isCut }) => (
          <>
            <RateChart counts={counts} sinceMs={since} />
            {isCut && <p>{text.cut}</p>}
          </>
        )}
      </Loaded>
    </Section>
  )
}
