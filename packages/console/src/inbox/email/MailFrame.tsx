import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { imageQuery } from '../model/images.ts'
import styles from './Email.module.css'

/*
 * The HTML of a mail, in a frame of its own: it cannot change the page around it. The server has sanitized it; the
 * frame runs no script (`sandbox` without `allow-scripts`), and loads nothing but images that the page hands to it.
 * `allow-same-origin` lets the page reach into the frame, not the frame into the page, which would take a script.
 */

const policy = "default-src 'none'; img-src blob:; base-uri 'none'; form-action 'none'"
const sandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
const fileUrl = /\/v1\/files\/(file_[a-z0-9]+)\/content$/

/** A tag of HTML that was serialized: quotes in values are escaped. */
const tag = /<[a-z][^>"]*(?:"[^"]*"[^>"]*)*>/gi

/** The policy of the page forbids styles in attributes, and files need the session: both are set later. */
const prepared = (html: string): string =>
  html.replace(tag, (each) => each.replace(/\sstyle="/i, ' data-style="').replace(/\ssrc="/i, ' data-src="'))

/** The styles of a mail are made for a white page, whatever the theme. */
const paper = 'margin:12px;background:#fff;color:#191a21;font:14px/1.5 sans-serif;overflow-wrap:anywhere'

const mostPx = 20_000

export function MailFrame({ html, title }: { html: string; title: string }) {
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const page = useMemo(
    () => `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">${prepared(html)}`,
    [html],
  )
  function furnish(frame: HTMLIFrameElement): void {
    const inside = frame.contentDocument
    if (!inside) return
    inside.body.style.cssText = paper
    for (const element of inside.querySelectorAll<HTMLElement>('[data-style]'))
      element.style.cssText = element.dataset.style ?? ''
    for (const link of inside.querySelectorAll('a')) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer'
    }
    const fit = () => {
      frame.style.height = `${Math.min(inside.documentElement.scrollHeight, mostPx)}px`
    }
    for (const image of inside.querySelectorAll<HTMLImageElement>('img[data-src]')) {
      const file = fileUrl.exec(image.dataset.src ?? '')?.[1]
      if (!file) continue
      image.addEventListener('load', fit)
      void cache.fetchQuery(imageQuery(backline, file)).then(
        (url) => image.setAttribute('src', url),
        () => undefined, // its description stands there
      )
    }
    fit()
  }
  return (
    <iframe
      title={title}
      className={styles.frame}
      sandbox={sandbox}
      srcDoc={page}
      onLoad={(event) => furnish(event.currentTarget)}
    />
  )
}
