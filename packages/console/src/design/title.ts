import { useEffect } from 'react'

/** `count` stands before all others, in parentheses: what has arrived and was not read. */
const parts: Record<'count' | 'notice' | 'page', string | null> = { count: null, notice: null, page: null }

function write(): void {
  const named = [parts.notice, parts.page, 'Backline'].filter((part) => part !== null).join(' · ')
  document.title = parts.count === null ? named : `(${parts.count}) ${named}`
}

/**
 * Sets a part of the title of the document, which tabs, the history and screen readers show.
 * @param text null leaves the part to another component
 */
export function useTitle(part: keyof typeof parts, text: string | null): void {
  useEffect(() => {
    if (text === null) return
    parts[part] = text
    write()
    return () => {
      if (parts[part] !== text) return
      parts[part] = null
      write()
    }
  }, [part, text])
}
