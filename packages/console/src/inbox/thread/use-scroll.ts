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

/**
 * Stays at the end until the reader scrolls up, and keeps what the reader sees in place when older items are loaded.
 * Images have no known size: the content grows when they are drawn.
 */
export function useScroll({ oldest, newest, isReady }: Options) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const isPinned = useRef(true)
  const lastTop = useRef(0)
  const before = useRef({ oldest, height: 0 })
  const seen = useRef(newest)
  const [isAtEnd, setAtEnd] = useState(true)
  const [isNearTop, setNearTop] = useState(false)

  const scrollToEnd = useCallback((element: HTMLElement) => {
    element.scrollTop = element.scrollHeight
    lastTop.current = element.scrollTop
  }, [])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const { scrollTop, scrollHeight, clientHeight } = element
    // The content may have grown since the scrolling that this event is about: then the end is further away.
    const isUpwards = scrollTop < lastTop.current
    lastTop.current = scrollTop
    if (scrollHeight - scrollTop - clientHeight < endPx) isPinned.current = true
    else if (isUpwards) isPinned.current = false
    setAtEnd(isPinned.current)
    setNearTop(scrollTop < nearTopPx && scrollHeight > clientHeight)
  }, [])

  const toEnd = useCallback(() => {
    isPinned.current = true
    if (scroller.current) scrollToEnd(scroller.current)
  }, [scrollToEnd])

  /** Brings an element into sight, and stays at the end only if that is in sight, too. */
  const show = useCallback((element: HTMLElement) => {
    element.scrollIntoView({ block: 'center' })
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = scroller.current ?? {}
    lastTop.current = scrollTop
    isPinned.current = scrollHeight - scrollTop - clientHeight < endPx
    setAtEnd(isPinned.current)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: Items change the height.
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    if (isPinned.current) scrollToEnd(element)
    else if (oldest !== before.current.oldest)
      element.scrollTop += element.scrollHeight - before.current.height
    before.current = { oldest, height: element.scrollHeight }
  }, [oldest, newest, isReady, scrollToEnd])

  // biome-ignore lint/correctness/useExhaustiveDependencies: The elements are there once it is ready.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const element = scroller.current
      if (!element) return
      if (isPinned.current) scrollToEnd(element)
      before.current.height = element.scrollHeight
    })
    if (scroller.current) observer.observe(scroller.current)
    if (content.current) observer.observe(content.current)
    return () => observer.disconnect()
  }, [isReady, scrollToEnd])

  useEffect(() => {
    if (isAtEnd) seen.current = newest
  }, [isAtEnd, newest])
  const newCount = isAtEnd || seen.current === 0 ? 0 : Math.max(0, newest - seen.current)
  return { scroller, content, onScroll, isAtEnd, isNearTop, toEnd, show, newCount }
}
