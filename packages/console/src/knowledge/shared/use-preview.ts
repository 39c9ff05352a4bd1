import { useEffect, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'

/** A text and the HTML that the server made of it. */
type RenderedText = { text: string; html: string }

type Preview = {
  html: string
  /** Why the server did not render the text in the form, so that the HTML is that of an earlier one; or null. */
  error: unknown
}

const pauseMs = 300

/**
 * Renders a text that is not saved yet by the server, some moments after the last key. Until then, and if that fails,
 * the result is the HTML of the text before.
 */
export function usePreview(type: 'kb_article' | 'faq', text: string, saved: RenderedText): Preview {
  const { backline } = useEnvironment()
  const [last, setLast] = useState<RenderedText>(saved)
  const [failed, setFailed] = useState<{ text: string; error: unknown } | null>(null)
  const isEmpty = text.trim() === ''
  const isSaved = text === saved.text
  const isKnown = isEmpty || isSaved || text === last.text
  useEffect(() => {
    if (isSaved) setLast({ text, html: saved.html })
  }, [isSaved, text, saved.html])
  useEffect(() => {
    if (isKnown) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      backline.kb.preview({ type, body: text }, { signal: abort.signal }).then(
        ({ body_html }) => {
          if (!abort.signal.aborted) setLast({ text, html: body_html })
        },
        (error) => {
          if (!abort.signal.aborted) setFailed({ text, error })
        },
      )
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [backline, type, text, isKnown])
  if (isEmpty) return { html: '', error: null }
  if (isSaved) return { html: saved.html, error: null }
  return { html: last.html, error: failed?.text === text ? failed.error : null }
}
