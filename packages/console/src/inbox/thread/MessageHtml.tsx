import { QueryObserver, useQueryClient } from '@tanstack/react-query'
import { memo, useEffect, useMemo, useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { imageQuery } from '../model/images.ts'
import { linkAddresses } from './links.ts'
import styles from './MessageView.module.css'

const fileUrl = /\/v1\/files\/(file_[a-z0-9]+)\/content$/

/**
 * Addresses become links. Images of files need the session, which an address in the page cannot send: they are read by
 * the client. Links open in a tab of their own. Blocks that can be wider than the message take the focus: then the
 * keyboard can scroll them.
 */
function prepared(html: string): string {
  if (!/<(img|a|pre|table)\b|:\/\/|mailto:|@/i.test(html)) return html
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const image of body.querySelectorAll('img')) {
    const file = fileUrl.exec(image.getAttribute('src') ?? '')?.[1]
    if (!file) continue
    image.removeAttribute('src')
    image.dataset.file = file
  }
  linkAddresses(body)
  for (const link of body.querySelectorAll('a')) {
    link.target = '_blank'
    link.rel = 'noopener noreferrer'
  }
  for (const block of body.querySelectorAll<HTMLElement>('pre, table')) block.tabIndex = 0
  return body.innerHTML
}

/** The text of a message, which the server has sanitized. */
export const MessageHtml = memo(function MessageHtml({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null)
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const shown = useMemo(() => prepared(html), [html])
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another text has other images.
  useEffect(() => {
    const images = [...(place.current?.querySelectorAll<HTMLImageElement>('img[data-file]') ?? [])]
    const stops = images.map((image) => {
      const observer = new QueryObserver(cache, imageQuery(backline, image.dataset.file!))
      const show = ({ data }: { data: string | undefined }) => data && image.setAttribute('src', data)
      show(observer.getCurrentResult())
      return observer.subscribe(show)
    })
    return () => {
      for (const stop of stops) stop()
    }
  }, [cache, backline, shown])
  return (
    <div
      dir="auto"
      ref={place}
      className={styles.text}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: The server has sanitized it, and no script runs (CSP).
      dangerouslySetInnerHTML={{ __html: shown }}
    />
  )
})
