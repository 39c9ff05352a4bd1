import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { More } from '../../design/Lists.tsx'
import { useTexts } from '../../texts/language.tsx'
import { useActorName } from '../shared/actor-names.ts'
import { LogCode, LogLink, LogName } from '../shared/LogLink.tsx'
import styles from './EventLog.module.css'
import type { Row } from './rows.ts'
import { texts } from './texts.ts'

const rowHeight = 32

type LogProps = {
  rows: Row[]
  openId: string | undefined
  pathOf(row: Row): string
  hasMore: boolean
  isLoadingMore: boolean
  /** Reads older events at the end of the list. */
  loadsByItself: boolean
  onMore(): void
}

export function EventLog({ rows, openId, pathOf, hasMore, isLoadingMore, loadsByItself, onMore }: LogProps) {
  const text = useTexts(texts)
  const frame = useRef<HTMLDivElement>(null)
  const nameOf = useActorName()
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (i) => rows[i]?.id ?? i,
    overscan: 20,
  })
  useStillness(frame, rows)
  const items = virtual.getVirtualItems()
  const isAtEnd = (items.at(-1)?.index ?? 0) >= rows.length - 1
  useEffect(() => {
    if (isAtEnd && hasMore && loadsByItself && !isLoadingMore) onMore()
  }, [isAtEnd, hasMore, loadsByItself, isLoadingMore, onMore])
  const openIndex = rows.findIndex(({ id }) => id === openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Not when newer events change the place of the open one.
  useEffect(() => {
    if (openIndex >= 0) virtual.scrollToIndex(openIndex, { align: 'auto' })
  }, [openId])
  return (
    <div className={styles.frame} ref={frame}>
      <ul className={styles.rows} aria-label={text.log} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, key }) => {
          const row = rows[index]
          return (
            row && (
              <li key={key} className={styles.row} style={{ transform: `translateY(${start}px)` }}>
                <LogLink href={pathOf(row)} isOpen={row.id === openId} at={row.at} className={styles.event}>
                  <LogName>{row.type}</LogName>
                  <LogCode className={styles.id}>{row.resource.id}</LogCode>
                  <span className={styles.actor}>{nameOf(row.actor)}</span>
                </LogLink>
              </li>
            )
          )
        })}
      </ul>
      {hasMore && (
        <More isLoading={isLoadingMore} onMore={onMore}>
          {text.older}
        </More>
      )}
    </div>
  )
}

/** Keeps what is read where it is while newer events come above it, except at the top of the list. */
function useStillness(frame: React.RefObject<HTMLDivElement | null>, rows: Row[]): void {
  const first = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const added = rows.findIndex(({ id }) => id === first.current)
    first.current = rows[0]?.id
    if (frame.current && added > 0 && frame.current.scrollTop > 0)
      frame.current.scrollTop += added * rowHeight
  }, [rows, frame])
}
