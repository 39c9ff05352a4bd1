import { type RefObject, useEffect, useReducer, useRef } from 'react'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

const mostPages = 25

/** The last two are of the router: a link to another message of the same conversation. */
const changes = ['hashchange', 'popstate', 'pushState', 'replaceState']

type Options = {
  scroller: RefObject<HTMLElement | null>
  /** The number of messages that are loaded. */
  count: number
  hasMore: boolean
  isLoading: boolean
  loadMore(): void
  /** Brings an element of the thread into sight. */
  show(element: HTMLElement): void
}

/**
 * Shows the message that the address of the page names, `#msg_…`, and gives it the focus. Older messages are loaded
 * until it is there.
 * @returns its id
 */
export function useLinkedMessage({ scroller, count, hasMore, isLoading, loadMore, show }: Options) {
  const text = useTexts(texts)
  const toast = useToast()
  const [, noticeAddress] = useReducer((count: number) => count + 1, 0)
  const id = /^#(msg_[0-9a-z]{26})$/.exec(location.hash)?.[1] ?? null
  const shown = useRef<string | null>(null)
  const pages = useRef(0)
  /** A link that leads to where one is shows the message again. */
  const [links, countLink] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const onChange = ({ type }: Event) => {
      noticeAddress()
      if (type === 'replaceState') return
      shown.current = null
      countLink()
    }
    for (const each of changes) addEventListener(each, onChange)
    return () => {
      for (const each of changes) removeEventListener(each, onChange)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: It is searched again when more messages are there.
  useEffect(() => {
    if (id === null || shown.current === id || !scroller.current) return
    const found = scroller.current.querySelector<HTMLElement>(`[data-message="${id}"]`)
    if (found) {
      shown.current = id
      show(found)
      found.focus({ preventScroll: true })
    } else if (hasMore && pages.current < mostPages) {
      if (isLoading) return
      pages.current++
      loadMore()
    } else {
      shown.current = id
      toast.failed({ title: text.linkNotFound })
    }
  }, [id, links, count, hasMore, isLoading, scroller.current])
  return id
}
