import { useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useParams } from '../../app/use-params.ts'
import { useSettled } from '../../data/settled.ts'
import { Badge } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { Quiet, Row } from '../../design/Layout.tsx'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { TwoPane } from '../shared/TwoPane.tsx'
import { EventDetail } from './EventDetail.tsx'
import { EventFilters } from './EventFilters.tsx'
import { EventLog } from './EventLog.tsx'
import styles from './Events.module.css'
import { isConversationId, isId } from './filters.ts'
import { texts } from './texts.ts'
import { mostOfConversation, useEventLog } from './use-event-log.ts'

const names = ['types', 'resource', 'conversation', 'q'] as const

/** The journal as a log that goes on by itself. */
export function Events({ id }: { id: string | undefined }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const [, navigate] = useLocation()
  const search = useSearch()
  const [values, set] = useParams(names)
  const [isPaused, setPaused] = useState(false)
  const settled = useSettled(values)
  const filters = useMemo(
    () => ({
      types: settled.types === '' ? [] : settled.types.split(','),
      resource: isId(settled.resource) ? settled.resource : '',
      conversation: isConversationId(settled.conversation) ? settled.conversation : '',
    }),
    [settled.types, settled.resource, settled.conversation],
  )
  const { history, rows, waiting, isLive } = useEventLog(filters, isPaused)
  const query = settled.q.trim().toLowerCase()
  const shown = useMemo(
    () => (query === '' ? rows : rows.filter((row) => row.text.includes(query))),
    [rows, query],
  )
  const at = (to: string | null) => `/events${to === null ? '' : `/${to}`}${search && `?${search}`}`
  const place = shown.findIndex((row) => row.id === id)
  const step = (by: number) => {
    const row = shown[place + by]
    if (row) navigate(at(row.id), { replace: id !== undefined })
  }
  const close = () => navigate(at(null))
  useCommands([
    {
      label: isPaused ? text.resume : text.pause,
      group: text.events,
      shortcut: 'p',
      icon: isPaused ? 'play' : 'pause',
      run: () => setPaused(!isPaused),
    },
    { label: text.next, group: text.events, shortcut: 'j', repeats: true, run: () => step(1) },
    { label: text.previous, group: text.events, shortcut: 'k', repeats: true, run: () => step(-1) },
    ...(id === undefined
      ? []
      : [{ label: text.closeEvent, group: text.events, shortcut: 'escape', run: close }]),
  ])
  const isFiltered = names.some((name) => values[name] !== '')
  const isCut = filters.conversation !== '' && history.items.length >= mostOfConversation
  return (
    <TwoPane
      title={text.events}
      detailLabel={text.event}
      detail={id === undefined ? null : <EventDetail key={id} id={id} onClose={close} />}
      actions={
        <>
          <Quiet role="status">
            {isPaused && waiting > 0 && text.waiting(waiting)}{' '}
            <Badge tone={isPaused ? 'warn' : isLive ? 'good' : 'neutral'}>
              {isPaused ? text.paused : isLive ? text.live : text.connecting}
            </Badge>
          </Quiet>
          <Button icon={isPaused ? 'play' : 'pause'} onClick={() => setPaused(!isPaused)}>
            {isPaused ? text.resume : text.pause}
          </Button>
        </>
      }
      filters={<EventFilters values={values} onChange={set} />}
    >
      {isCut && (
        <Quiet as="p" className={styles.note}>
          {text.cut(number(mostOfConversation))}
        </Quiet>
      )}
      {history.isPending ? (
        <Loading lines={8} />
      ) : history.isError && rows.length === 0 ? (
        <ErrorState error={history.error} onRetry={() => void history.refetch()} />
      ) : shown.length === 0 ? (
        <EmptyState icon="list" title={isFiltered ? text.noMatch : text.empty}>
          <p>{isFiltered ? text.noMatchHint : text.emptyHint}</p>
          <Row wraps>
            {isFiltered && (
              <Button onClick={() => set({ types: '', resource: '', conversation: '', q: '' })}>
                {text.clearFilters}
              </Button>
            )}
            {history.hasNextPage && (
              <Button disabled={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
                {history.isFetchingNextPage ? text.loading : text.older}
              </Button>
            )}
          </Row>
        </EmptyState>
      ) : (
        <EventLog
          rows={shown}
          openId={id}
          pathOf={(row) => at(row.id)}
          hasMore={history.hasNextPage}
          isLoadingMore={history.isFetchingNextPage}
          loadsByItself={query === ''}
          onMore={() => void history.fetchNextPage()}
        />
      )}
    </TwoPane>
  )
}
