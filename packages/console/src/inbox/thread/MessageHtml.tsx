import { QueryObserver, useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, memo, useContext, useEffect, useMemo, useRef } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { useTexts } from '../../texts/language.tsx'
import { imageQuery } from '../model/images.ts'
import type { MentionedName } from './links.ts'
import styles from './MessageView.module.css'
import { preparedHtml } from './message-html.ts'
import { texts } from './texts.ts'
import { useMentioned } from './use-mentioned.ts'
import { type Picture, Viewing } from './viewing.ts'

type MessageHtmlProps = {
  html: string
  /** The files of the message, by which its images have names. */
  pictures: Picture[]
  /** The operators whom the message mentions. */
  mentions: string[]
}

/** The text of a message, which the server has sanitized. */
export const MessageHtml = memo(function MessageHtml({ mentions, ...rest }: MessageHtmlProps) {
  return mentions.length === 0 ? (
    <Html {...rest} mentioned={nobody} />
  ) : (
    <WithMentions {...rest} mentions={mentions} />
  )
})

const nobody: MentionedName[] = []

/** Follows the names of operators: of a message without mentions, that would be most of what it costs. */
function WithMentions({ mentions, ...rest }: MessageHtmlProps) {
  const { operator } = useEnvironment()
  const people = useMentioned(mentions)
  const mentioned = useMemo(
    () => people.map(({ id, name }) => ({ name, isOwn: id === operator.id })),
    [people, operator.id],
  )
  return <Html {...rest} mentioned={mentioned} />
}

type HtmlProps = Omit<MessageHtmlProps, 'mentions'> & { mentioned: MentionedName[] }

function Html({ html, pictures, mentioned }: HtmlProps) {
  const place = useRef<HTMLDivElement>(null)
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const cache = useQueryClient()
  const view = useContext(Viewing)
  const shown = useMemo(
    () => preparedHtml(html, (alt) => text.showImage(alt || text.image), mentioned),
    [html, text, mentioned],
  )
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
  const open = ({ target }: MouseEvent) => {
    const image = (target as Element).closest('button')?.querySelector<HTMLImageElement>('img[data-file]')
    const id = image?.dataset.file
    if (id)
      view(
        pictures.find(({ file_id }) => file_id === id) ?? { file_id: id, filename: image.alt || text.image },
      )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: The buttons inside are clicked, by keys too.
    // biome-ignore lint/a11y/useKeyWithClickEvents: as above
    <div
      dir="auto"
      ref={place}
      className={styles.text}
      onClick={open}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: The server has sanitized it, and no script runs (CSP).
      dangerouslySetInnerHTML={{ __html: shown }}
    />
  )
}
