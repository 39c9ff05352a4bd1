import { useEffect } from 'react'

const parts: { notice: string | null; page: string | null } = { notice: null, page: null }

function write(): void {
  document.title = [parts.notice, parts.page, 'Backline'].filter((part) => part !== null).join(' · ')
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
