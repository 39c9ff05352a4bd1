import { useMemo } from 'react'
import { Truncated } from '../../design/Layout.tsx'
import styles from './Snippet.module.css'

/** An excerpt of the search: escaped HTML with marks around the words that match. */
export function Snippet({ html }: { html: string }) {
  const parts = useMemo(() => {
    const { body } = new DOMParser().parseFromString(html, 'text/html')
    return [...body.childNodes].map((node) => ({
      isMatch: node.nodeName === 'MARK',
      text: node.textContent ?? '',
    }))
  }, [html])
  return (
    <Truncated as="small" lines={2} className={styles.snippet} dir="auto">
      {parts.map(({ isMatch, text }, i) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: The parts have no other identity.
        isMatch ? <mark key={i}>{text}</mark> : <span key={i}>{text}</span>,
      )}
    </Truncated>
  )
}
