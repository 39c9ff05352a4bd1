import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { classes } from '../../design/classes.ts'
import { TextField } from '../../design/Field.tsx'
import { FilterRow, Row } from '../../design/Layout.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { useTitle } from '../../design/title.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'
import styles from './ListPage.module.css'

const rowHeight = 52
const rowsAhead = 10

export type RowColumn<Item> = {
  name: string
  label: string
  cell(item: Item): ReactNode
  /** Its part of the width, as in `grid-template-columns`. */
  width: string
}

type ListPageProps<Item> = {
  title: string
  /** The label of the field for the search. */
  searchLabel: string
  q: string
  onSearch(q: string): void
  filters?: ReactNode
  actions?: ReactNode
  /** Where there is little room, only the first two are shown, below each other. */
  columns: RowColumn<Item>[]
  query: {
    items: Item[]
    isPending: boolean
    isPlaceholderData: boolean
    isError: boolean
    error: unknown
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage(): unknown
    refetch(): unknown
  }
  hrefOf(item: Item): string
  /** Stands in place of an empty list. */
  empty: ReactNode
}

/** A long list with its search, of which only the rows in sight are drawn. Each is a link to a page. */
export function ListPage<Item extends { id: string }>(props: ListPageProps<Item>) {
  const { title, searchLabel, q, onSearch, filters, actions, columns, query, hrefOf, empty } = props
  const { items, isPlaceholderData, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    query
  const text = useTexts(texts)
  useTitle('page', title)
  const scroller = useRef<HTMLDivElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (i) => items[i]?.id ?? i,
    overscan: 8,
  })
  const visible = rows.getVirtualItems()
  const last = visible.at(-1)?.index ?? 0
  useEffect(() => {
    const mayFetch = hasNextPage && !isPlaceholderData && !isFetchingNextPage && !isFetchNextPageError
    if (mayFetch && last >= items.length - rowsAhead) void fetchNextPage()
  }, [
    hasNextPage,
    isPlaceholderData,
    isFetchingNextPage,
    isFetchNextPageError,
    fetchNextPage,
    last,
    items.length,
  ])
  // Another search is read from its beginning, unless a row has the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: The words are what changes.
  useEffect(() => {
    const list = scroller.current
    if (!isPlaceholderData && list && !list.contains(document.activeElement)) list.scrollTop = 0
  }, [isPlaceholderData, q])

  const at = items.findIndex(({ id }) => id === currentId)
  const tabStop = visible.some(({ index }) => index === at) ? at : visible[0]?.index
  const move = (by: -1 | 1) => {
    const to = Math.min(Math.max(at + by, 0), items.length - 1)
    const item = items[to]
    if (!item) return
    setCurrentId(item.id)
    rows.scrollToIndex(to)
    const row = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${item.id}"]`)
    const drawn = row()
    if (drawn) drawn.focus()
    else requestAnimationFrame(() => row()?.focus())
  }
  useCommands([
    {
      label: searchLabel,
      group: title,
      icon: 'search',
      shortcut: '/',
      run: () => bar.current?.querySelector('input')?.focus(),
    },
    { label: text.nextRow, group: title, shortcut: 'j', repeats: true, run: () => move(1) },
    { label: text.previousRow, group: title, shortcut: 'k', repeats: true, run: () => move(-1) },
  ])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    move(event.key === 'ArrowDown' ? 1 : -1)
  }
  const template = { '--columns': columns.map(({ width }) => width).join(' ') } as object
  return (
    <section className={styles.page} aria-label={title}>
      <Row as="header" gap={3} wraps justify="between" className={styles.header}>
        <h1>{title}</h1>
        {actions && <Row wraps>{actions}</Row>}
      </Row>
      <div ref={bar}>
        <FilterRow>
          <TextField
            label={searchLabel}
            hideLabel
            type="search"
            placeholder={searchLabel}
            value={q}
            onChange={(event) => onSearch(event.target.value)}
            onKeyDown={(event) => event.key === 'ArrowDown' && onKeyDown(event)}
          />
          {filters}
        </FilterRow>
      </div>
      <div className={styles.frame} style={template} aria-busy={isPlaceholderData}>
        {items.length > 0 && (
          <div className={classes(styles.row, styles.heading)} aria-hidden="true">
            {columns.map(({ name, label }) => (
              <span key={name}>{label}</span>
            ))}
          </div>
        )}
        <div ref={scroller} className={styles.scroller}>
          {query.isPending && <Loading lines={9} />}
          {query.isError && !isFetchNextPageError && (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
          {!query.isPending && !query.isError && items.length === 0 && empty}
          <ul
            className={styles.rows}
            style={{ height: rows.getTotalSize() }}
            aria-label={title}
            onKeyDown={onKeyDown}
          >
            {visible.map(({ index, key, start }) => {
              const item = items[index]
              return (
                item && (
                  <li
                    key={key}
                    style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                    aria-posinset={index + 1}
                    aria-setsize={hasNextPage ? -1 : items.length}
                  >
                    <Link
                      href={hrefOf(item)}
                      className={styles.row}
                      data-row={item.id}
                      tabIndex={index === tabStop ? 0 : -1}
                      onFocus={() => setCurrentId(item.id)}
                    >
                      {columns.map(({ name, cell }) => (
                        <span key={name}>{cell(item)}</span>
                      ))}
                    </Link>
                  </li>
                )
              )
            })}
          </ul>
          {isFetchingNextPage && <Loading lines={2} />}
          {isFetchNextPageError && !isFetchingNextPage && (
            <ErrorState error={query.error} onRetry={() => void fetchNextPage()} />
          )}
        </div>
      </div>
    </section>
  )
}
