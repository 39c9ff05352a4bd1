import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useSettled } from '../../data/settled.ts'
import { Button } from '../../design/Button.tsx'
import { List } from '../../design/Lists.tsx'
import { EmptyState } from '../../design/States.tsx'
import { fromLocal } from '../../forms/local-time.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import { TwoPane } from '../shared/TwoPane.tsx'
import { filterNames, noFilters, senderParameter } from './filters.ts'
import { RequestDetail } from './RequestDetail.tsx'
import { RequestFilters } from './RequestFilters.tsx'
import { RequestList } from './RequestList.tsx'
import styles from './Requests.module.css'
import { texts } from './texts.ts'

/** The log of requests, refused ones too. Nothing announces new rows, so that one asks for them. */
export function Requests({ id }: { id: string | undefined }) {
  const text = useTexts(texts)
  const { refresh, clearFilters } = useTexts(common)
  const cache = useQueryClient()
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const search = useSearch()
  const [values, set] = useParams(filterNames)
  const settled = useSettled(values)
  const filters = useMemo(() => {
    const { status, method, route, sender, from, to } = settled
    const parameter = senderParameter(sender)
    return {
      status: status || undefined,
      method: method || undefined,
      route: route.startsWith('/') ? route : undefined,
      ...(parameter ? { [parameter]: sender } : {}),
      created_after: fromLocal(from) ?? undefined,
      created_before: fromLocal(to) ?? undefined,
    }
  }, [settled])
  const key = ['request_log', 'list', filters]
  const query = usePages(key, (cursor, signal) =>
    backline.requestLog.list({ ...filters, limit: 100, cursor }, { signal }),
  )
  const reload = () => void cache.resetQueries({ queryKey: key })
  const at = (to: string | null) => `/requests${to === null ? '' : `/${to}`}${search && `?${search}`}`
  const place = query.items.findIndex((request) => request.id === id)
  const step = (by: number) => {
    const request = query.items[place + by]
    if (request) navigate(at(request.id), { replace: id !== undefined })
  }
  const close = () => navigate(at(null))
  useCommands([
    { label: text.next, group: text.title, shortcut: 'j', repeats: true, run: () => step(1) },
    { label: text.previous, group: text.title, shortcut: 'k', repeats: true, run: () => step(-1) },
    ...(id === undefined ? [] : [{ label: text.close, group: text.title, shortcut: 'escape', run: close }]),
  ])
  const isFiltered = filterNames.some((name) => values[name] !== '')
  return (
    <TwoPane
      title={text.title}
      detailLabel={text.one}
      detail={id === undefined ? null : <RequestDetail key={id} id={id} onClose={close} />}
      actions={
        <Button icon="refresh" onClick={reload}>
          {refresh}
        </Button>
      }
      filters={<RequestFilters values={values} onChange={set} />}
    >
      <div className={styles.scroll}>
        <List
          query={query}
          empty={
            <EmptyState icon="list" title={isFiltered ? text.noMatch : text.empty}>
              {isFiltered ? (
                <Button onClick={() => set(noFilters)}>{clearFilters}</Button>
              ) : (
                <p>{text.emptyHint}</p>
              )}
            </EmptyState>
          }
        >
          <RequestList requests={query.items} openId={id} pathOf={({ id: to }) => at(to)} />
        </List>
      </div>
    </TwoPane>
  )
}
