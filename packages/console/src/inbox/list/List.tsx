import { ApiError } from '@backline/sdk'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useCommands, useKeys } from '../../app/commands.tsx'
import { shownColumns } from '../../data/columns.ts'
import { useOperatorNames } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useNow } from '../../data/now.ts'
import { Button } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { EmptyState, ErrorState, Loading } from '../../design/States.tsx'
import { brokenText, reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { SelectionBar } from '../bulk/lazy.ts'
import { useSelection } from '../bulk/use-selection.ts'
import { ColumnHeadings } from '../columns/lazy.ts'
import { narrowed } from '../filter/conditions.ts'
import type { ListRequest } from '../filter/use-read-list.ts'
import { useReadAhead } from '../model/messages.ts'
import { focusOnOpening } from '../model/opening.ts'
import { useUnsent } from '../model/outbox.tsx'
import { texts } from '../texts.ts'
import { usualStatusOf } from '../views/built-in.ts'
import { filterOf } from '../views/filter-of.ts'
import styles from './List.module.css'
import { ListBar } from './ListBar.tsx'
import { Mark } from './Mark.tsx'
import { Row } from './Row.tsx'
import { useConversationList } from './use-list.ts'
import { useNeighbours } from './use-neighbours.ts'

const isBroken = (error: unknown): boolean => error instanceof ApiError && error.code === 'view_broken'

const rowHeight = 78
const rowsAhead = 10
const topPx = 8

/** The ways through a list. */
export type Walk = {
  /** The id of the conversation after one; null after the last. */
  following(id: string): string | null
  /** Gives the current row the focus. */
  enter(): void
}

type ListProps = ListRequest & {
  title: string
  openId: string | null
  hrefOf(id: string): string
  onChange(next: Partial<Omit<ListRequest, 'view'>>): void
  /** Stands in place of an empty list. */
  empty: ReactNode
  /** Opens a conversation, after a key. */
  onWalk(id: string): void
  /** Gets the ways through the list. */
  walk: RefObject<Walk | null>
  /** Called once the conversations are there, or known to be missing. */
  onShown(): void
}

export function List(props: ListProps) {
  const { view, conditions, title, sort, q, openId, hrefOf, onChange, empty, onWalk, walk, onShown } = props
  const text = useTexts(texts)
  const { operator, can } = useEnvironment()
  const nowMs = useNow()
  const nameOf = useOperatorNames()
  const unsent = useUnsent()
  const readAhead = useReadAhead()
  const scroller = useRef<HTMLDivElement>(null)
  const isWatched = useCallback(() => {
    const element = scroller.current
    return (
      openId === null && element !== null && element.scrollTop < topPx && !element.matches(':focus-within')
    )
  }, [openId])
  const list = useConversationList({ view, conditions, sort, q, openId, isWatched })
  const { items, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, waitingCount } = list
  const [currentId, setCurrentId] = useState(openId)
  useEffect(() => {
    if (openId !== null) setCurrentId(openId)
  }, [openId])
  const { neighbour, tabStop } = useNeighbours(items, currentId)
  const ofOpen = useNeighbours(items, openId)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (i) => items[i]?.id ?? i,
    overscan: 8,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: Once for each conversation that is opened.
  useEffect(() => {
    const index = items.findIndex(({ id }) => id === openId)
    if (index >= 0) rows.scrollToIndex(index)
  }, [openId])
  const visible = rows.getVirtualItems()
  const last = visible.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError && last >= items.length - rowsAhead)
      void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, last, items.length])

  const { isPending } = list
  useEffect(() => {
    if (!isPending) onShown()
  }, [isPending, onShown])

  const columns = useMemo(() => shownColumns(view.saved?.columns ?? []), [view.saved?.columns])
  const canSelect = can('conversations:write') && can('jobs:write')
  const selection = useSelection(items)
  const isSelecting = selection.ids.length > 0
  // Another search or filter lists others.
  // biome-ignore lint/correctness/useExhaustiveDependencies: The words and the conditions are what changes.
  useEffect(() => selection.clear(), [q, conditions])
  const onSelect = useCallback(
    (id: string, isRange: boolean) => (isRange ? selection.extendTo(id) : selection.toggle(id)),
    [selection.extendTo, selection.toggle],
  )

  const move = (by: -1 | 0 | 1) => {
    const id = neighbour(by)
    if (!id) return null
    setCurrentId(id)
    rows.scrollToIndex(items.findIndex((each) => each.id === id))
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus())
    return id
  }
  useImperativeHandle(walk, () => ({
    following: (id) => (id === openId ? ofOpen.following() : null),
    enter: () => void move(0),
  }))
  const open = (id: string) => {
    readAhead(id)
    onWalk(id)
    if (scroller.current?.offsetParent === null) focusOnOpening(id) // a narrow page does not show the list
  }
  /** Those who select rows only move. */
  const step = (by: -1 | 1, isHeldDown = false) => {
    const id = move(by)
    if (!id || isSelecting) return
    isWalking.current = isHeldDown
    if (!isHeldDown && id !== openId) open(id)
  }
  const isWalking = useRef(false)
  const latest = useRef({ currentId, open })
  latest.current = { currentId, open }
  useEffect(() => {
    // A key that is held down passes rows quickly; the one at which it is released is opened.
    const onRelease = () => {
      const { currentId: id, open: openNow } = latest.current
      if (isWalking.current && id) openNow(id)
      isWalking.current = false
    }
    addEventListener('keyup', onRelease)
    return () => removeEventListener('keyup', onRelease)
  }, [])
  useCommands([
    {
      label: text.previousRow,
      group: text.inbox,
      name: 'previous_row',
      icon: 'arrowUp',
      shortcut: 'k',
      repeats: true,
      run: (isHeldDown) => step(-1, isHeldDown),
    },
    {
      label: text.nextRow,
      group: text.inbox,
      name: 'next_row',
      icon: 'arrowDown',
      shortcut: 'j',
      repeats: true,
      run: (isHeldDown) => step(1, isHeldDown),
    },
    ...(canSelect && tabStop !== null
      ? [{ label: text.select, group: text.inbox, shortcut: 'x', run: () => onSelect(tabStop, false) }]
      : []),
  ])
  useKeys(
    canSelect
      ? [
          { label: text.selectRange, group: text.inbox, shortcut: 'shift arrowdown' },
          { label: text.selectLoaded, group: text.inbox, shortcut: 'mod a' },
        ]
      : [],
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp'
    const isSelectingAll = event.key === 'a' && (event.metaKey || event.ctrlKey)
    const isRange = event.shiftKey && (isArrow || event.key === 'X')
    if (!isArrow && !(canSelect && (isSelectingAll || isRange))) return
    event.preventDefault()
    if (canSelect && isSelectingAll) return selection.selectLoaded()
    if (canSelect && isRange && tabStop) onSelect(tabStop, true)
    if (!isArrow) return
    const by = event.key === 'ArrowDown' ? 1 : -1
    const next = neighbour(by)
    if (canSelect && isRange && next) onSelect(next, true)
    move(by)
  }

  return (
    <section className={styles.list} aria-label={title}>
      <ListBar
        title={title}
        view={view}
        conditions={conditions}
        sort={sort}
        q={q}
        onChange={onChange}
        onEnterList={() => void move(0)}
        selectsAll={
          canSelect && items.length > 0
            ? {
                isChecked: selection.ids.length === items.length,
                isPartly: isSelecting,
                onChange: () => (isSelecting ? selection.clear() : selection.selectLoaded()),
              }
            : null
        }
      />
      {isSelecting && (
        <SelectionBar
          selection={selection}
          loadedCount={items.length}
          hasMore={hasNextPage}
          filter={q === '' ? narrowed(filterOf(view, operator.id), conditions) : null}
        />
      )}
      <div aria-live="polite" className={styles.arrived}>
        {waitingCount > 0 && (
          <Button
            variant="primary"
            onClick={() => {
              list.showWaiting()
              scroller.current?.scrollTo({ top: 0 })
            }}
          >
            {text.arrived(waitingCount)}
          </Button>
        )}
      </div>
      {columns.length > 0 && items.length > 0 && <ColumnHeadings columns={columns} />}
      <div ref={scroller} className={classes(styles.scroller, columns.length > 0 && styles.table)}>
        {list.isPending && <Loading lines={9} />}
        {list.isError &&
          !isFetchNextPageError &&
          (isBroken(list.error) ? (
            <EmptyState icon="warning" title={text.brokenTitle}>
              <p>{text.broken(view.saved?.broken ? brokenText(view.saved.broken) : reasonOf(list.error))}</p>
            </EmptyState>
          ) : (
            <ErrorState error={list.error} onRetry={() => void list.refetch()} />
          ))}
        {list.isSuccess && items.length === 0 && empty}
        <ul
          className={styles.rows}
          style={{ height: rows.getTotalSize() }}
          aria-label={text.conversations}
          onKeyDown={onKeyDown}
        >
          {visible.map(({ index, key, start }) => {
            const conversation = items[index]
            return (
              conversation && (
                <li
                  key={key}
                  className={classes(
                    styles.row,
                    canSelect && styles.selectable,
                    selection.has(conversation.id) && styles.selected,
                  )}
                  style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                  aria-posinset={index + 1}
                  aria-setsize={hasNextPage ? -1 : items.length}
                >
                  {canSelect && (
                    <Mark
                      conversation={conversation}
                      isChecked={selection.has(conversation.id)}
                      isShown={isSelecting}
                      isFocused={conversation.id === tabStop}
                      onSelect={onSelect}
                    />
                  )}
                  <Row
                    conversation={conversation}
                    href={hrefOf(conversation.id)}
                    isOpen={conversation.id === openId}
                    isFocused={conversation.id === tabStop}
                    assignee={nameOf(conversation.assignee_id)}
                    usualStatus={view.builtIn ? usualStatusOf(view.builtIn) : 'open'}
                    columns={columns}
                    nowMs={nowMs}
                    unsentCount={unsent.get(conversation.id) ?? 0}
                    onFocus={setCurrentId}
                    onPress={readAhead}
                    onRange={canSelect ? onSelect : null}
                  />
                </li>
              )
            )
          })}
        </ul>
        {isFetchingNextPage && <Loading lines={2} />}
        {isFetchNextPageError && !isFetchingNextPage && (
          <ErrorState error={list.error} onRetry={() => void fetchNextPage()} />
        )}
      </div>
    </section>
  )
}
