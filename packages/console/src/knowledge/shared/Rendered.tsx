import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Rendered.module.css'
import { texts } from './texts.ts'

/** The address of an image in a saved article, and in a text that is not saved. */
const fileAddress = /(?:\/files\/|^file:)(file_[0-9a-z]+)$/

/**
 * HTML that the server has made safe, as readers see it. Its images are read through the API: their addresses answer
 * to readers only once the article is published.
 */
export function Rendered({ html, lang }: { html: string; lang?: string }) {
  const text = useTexts(texts)
  const place = useRef<HTMLDivElement>(null)
  const urls = useRef(new Map<string, string>())
  const { backline } = useEnvironment()
  const cache = useQueryClient()

  useEffect(() => {
    const known = urls.current
    return () => {
      for (const url of known.values()) URL.revokeObjectURL(url)
      known.clear()
    }
  }, [])

  useEffect(() => {
    let isCurrent = true
    const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html')
    for (const link of body.querySelectorAll('a')) {
      link.target = '_blank'
      link.rel = 'noopener noreferrer nofollow'
    }
    const instead = (image: Element, words: string) => {
      const note = document.createElement('span')
      note.className = styles.missing ?? ''
      note.textContent = [image.getAttribute('alt'), words].filter(Boolean).join(' · ')
      image.replaceWith(note)
    }
    async function load(image: HTMLImageElement, id: string): Promise<void> {
      const blob = await cache.fetchQuery({
        queryKey: ['files', id, 'content'],
        staleTime: Number.POSITIVE_INFINITY,
        queryFn: async () => (await backline.files.content(id)).blob(),
      })
      if (!isCurrent) return
      const url = urls.current.get(id) ?? URL.createObjectURL(blob)
      urls.current.set(id, url)
      image.src = url
    }
    for (const image of body.querySelectorAll('img')) {
      const address = image.getAttribute('src') ?? ''
      const id = fileAddress.exec(address)?.[1]
      if (!id) {
        if (!address.startsWith('data:')) instead(image, text.imageElsewhere(hostOf(address)))
        continue
      }
      const url = urls.current.get(id)
      if (url) image.src = url
      else {
        image.removeAttribute('src')
        load(image, id).catch(() => instead(image, text.imageMissing))
      }
    }
    place.current?.replaceChildren(...body.childNodes)
    return () => {
      isCurrent = false
    }
  }, [html, backline, cache, text])

  return <div ref={place} className={styles.rendered} lang={lang} dir="auto" />
}

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address)

/** The alignment of table cells is the only style that the server keeps. The policy of the page allows none. */
const withoutStyles = (html: string): string =>
  html.replace(/(<t[dh]\b[^>]*?) style="text-align:(left|right|center)"/g, '$1 data-align="$2"')
