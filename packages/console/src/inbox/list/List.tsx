import { ApiError } from '@backline/sdk'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useCommands } from '../../app/commands.tsx'
import { useOperatorNames } from '../../data/configuration.ts'
import { useNow } from '../../data/now.ts'
import { Button } from '../../design/Button.tsx'
import { Empty, Failed, Loading, reasonOf } from '../../design/States.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useReadAhead } from '../model/messages.ts'
import { useUnsent } from '../model/outbox.tsx'
import { texts } from '../texts.ts'
import type { Sort } from '../views/built-in.ts'
import type { ChosenView } from '../views/use-view.ts'
import styles from './List.module.css'
import { ListBar } from './ListBar.tsx'
import { Row } from './Row.tsx'
import { useConversationList } from './use-list.ts'

const isBroken = (error: unknown): boolean => error instanceof ApiError && error.code === 'view_broken'

const rowHeight = 78
const rowsAhead = 10
const topPx = 8

type ListProps = {
  view: ChosenView
  title: string
  sort: Sort
  q: string
  openId: string | null
  hrefOf(id: string): string
  onOrder(sort: Sort, q: string): void
  /** Stands in place of an empty list. */
  empty: ReactNode
  /** Called once the conversations are there, or known to be missing. */
  onShown(): void
}

export function List({ view, title, sort, q, openId, hrefOf, onOrder, empty, onShown }: ListProps) {
  const text = useTexts(texts)
  const nowMs = useNow()
  const nameOf = useOperatorNames()
  const unsent = useUnsent()
  const readAhead = useReadAhead()
  const scroller = useRef<HTMLDivElement>(null)
  const isAtTop = useCallback(() => (scroller.current?.scrollTop ?? 0) < topPx, [])
  const list = useConversationList({ view, sort, q, openId, isAtTop })
  const { items, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, waitingCount } = list
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (i) => items[i]!.id,
    overscan: 8,
  })
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

  const move = (by: number) => {
    const from = items.findIndex(({ id }) => id === (focusedId ?? openId))
    const to = Math.min(Math.max(from + by, 0), items.length - 1)
    const id = items[to]?.id
    if (!id) return
    setFocusedId(id)
    rows.scrollToIndex(to)
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus())
  }
  useCommands([
    { label: text.nextRow, group: text.inbox, shortcut: 'j', repeats: true, run: () => move(1) },
    { label: text.previousRow, group: text.inbox, shortcut: 'k', repeats: true, run: () => move(-1) },
  ])
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    move(by)
  }
  const tabStop = items.some(({ id }) => id === focusedId) ? focusedId : (items[0]?.id ?? null)

  return (
    <section className={styles.list} aria-label={title}>
      <ListBar
        title={title}
        sort={sort}
        q={q}
        isOrdered={view.builtIn !== null}
        onOrder={onOrder}
        onEnterList={() => move(0)}
      />
      <div aria-live="polite" className={styles.arrived}>
        {waitingCount > 0 && (
          <Button
            look="primary"
            onClick={() => {
              list.showWaiting()
              scroller.current?.scrollTo({ top: 0 })
            }}
          >
            {text.arrived(waitingCount)}
          </Button>
        )}
      </div>
      <div ref={scroller} className={styles.scroller}>
        {list.isPending && <Loading lines={9} />}
        {list.isError &&
          !isFetchNextPageError &&
          (isBroken(list.error) ? (
            <Empty icon="warning" title={text.brokenTitle}>
              <p>{text.broken(view.saved?.broken?.detail ?? reasonOf(list.error))}</p>
            </Empty>
          ) : (
            <Failed error={list.error} onRetry={() => void list.refetch()} />
          ))}
        {list.isSuccess && items.length === 0 && empty}
        <ul
          className={styles.rows}
          style={{ height: rows.getTotalSize() }}
          aria-label={text.conversations}
          onKeyDown={onKeyDown}
        >
          {visible.map(({ index, key, start }) => {
            const conversation = items[index]!
            return (
              <li
                key={key}
                className={styles.row}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                aria-posinset={index + 1}
                aria-setsize={hasNextPage ? -1 : items.length}
              >
                <Row
                  conversation={conversation}
                  href={hrefOf(conversation.id)}
                  isOpen={conversation.id === openId}
                  isFocused={conversation.id === tabStop}
                  assignee={nameOf(conversation.assignee_id)}
                  nowMs={nowMs}
                  unsentCount={unsent.get(conversation.id) ?? 0}
                  onFocus={setFocusedId}
                  onPress={readAhead}
                />
              </li>
            )
          })}
        </ul>
        {isFetchingNextPage && <Loading lines={2} />}
        {isFetchNextPageError && !isFetchingNextPage && (
          <Failed error={list.error} onRetry={() => void fetchNextPage()} />
        )}
      </div>
    </section>
  )
}
