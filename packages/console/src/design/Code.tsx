import { type ReactNode, useMemo } from 'react'
import styles from './Code.module.css'
import { CopyIcon } from './Copy.tsx'

type CodeProps = {
  label: string
  value: string
  /** The text in colours. */
  children?: ReactNode
}

/** A block of text of a machine, with a button that copies it. */
export function Code({ label, value, children = value }: CodeProps) {
  return (
    <section className={styles.block} aria-label={label}>
      <div className={styles.copy}>
        <CopyIcon value={value} what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A block that scrolls must be reachable by keyboard. */}
      <pre className={styles.code} tabIndex={0}>
        {children}
      </pre>
    </section>
  )
}

/** The parts of JSON that have a colour: names, texts, and other values. */
const token = /("(?:[^"\\]|\\.)*")(:?)|-?\b\d[\d.eE+-]*|\b(?:true|false|null)\b/g

export function Json({ label, value }: { label: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2)
  return (
    <Code label={label} value={text}>
      {useMemo(() => colored(text), [text])}
    </Code>
  )
}

/** Longer JSON stays plain: a thousand elements for each page of text would be slow. */
const longest = 100_000

function colored(json: string): ReactNode {
  if (json.length > longest) return json
  const parts: ReactNode[] = []
  let from = 0
  for (const match of json.matchAll(token)) {
    const [all, quoted, colon] = match
    const shown = quoted ?? all
    parts.push(
      json.slice(from, match.index),
      <span key={match.index} className={styles[colon ? 'name' : quoted ? 'string' : 'other']}>
        {shown}
      </span>,
    )
    from = match.index + shown.length
  }
  return [...parts, json.slice(from)]
}

/** An id or another short value, with a button that copies it. `isText`: it is read by people. */
export function Copied({ value, what, isText = false }: { value: string; what: string; isText?: boolean }) {
  return (
    <span className={styles.copied}>
      {isText ? <span>{value}</span> : <code>{value}</code>}
      <CopyIcon value={value} what={what} isSmall />
    </span>
  )
}
