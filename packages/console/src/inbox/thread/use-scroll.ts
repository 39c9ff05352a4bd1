import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

const endPx = 60
const nearTopPx = 600

type Options = {
  /** The id of the oldest message: a new one tells that older ones were put before it. */
  oldest: string | undefined
  /** The sequence of the newest message. */
  newest: number
  isReady: boolean
}

/** Stays at the end while the reader is there, and keeps what the reader sees in place when older items are loaded. */
export function useScroll({ oldest, newest, isReady }: Options) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isPinned = useRef(true)
  const before = useRef({ oldest, height: 0 })
  const seen = useRef(newest)
  const [isAtEnd, setAtEnd] = useState(true)
  const [isNearTop, setNearTop] = useState(false)

  const measure = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    isPinned.current = scrollHeight - scrollTop - clientHeight < endPx
    setAtEnd(isPinned.current)
    setNearTop(scrollTop < nearTopPx && scrollHeight > clientHeight)
  }, [])

  const toEnd = useCallback(() => {
    isPinned.current = true
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: Items change the height.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    if (isPinned.current) element.scrollTop = element.scrollHeight
    else if (oldest !== before.current.oldest)
      element.scrollTop += element.scrollHeight - before.current.height
    before.current = { oldest, height: element.scrollHeight }
  }, [oldest, newest, isReady])

  // biome-ignore lint/correctness/useExhaustiveDependencies: The elements are there once it is ready.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const element = scroller.current
      if (!element) return
      if (isPinned.current) element.scrollTop = element.scrollHeight
      before.current.height = element.scrollHeight
    })
    if (scroller.current) observer.observe(scroller.current)
    if (content.current) observer.observe(content.current)
    return () => observer.disconnect()
  }, [isReady])

  useEffect(() => {
    if (isAtEnd) seen.current = newest
  }, [isAtEnd, newest])
  const newCount = isAtEnd || seen.current === 0 ? 0 : Math.max(0, newest - seen.current)
  return { scroller, content, onScroll: measure, isAtEnd, isNearTop, toEnd, newCount }
}
