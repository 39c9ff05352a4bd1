import styles from './Code.module.css'
import { CopyIcon } from './Copy.tsx'

/** A block of text of a machine, with a button that copies it. */
export function Code({ label, value }: { label: string; value: string }) {
  return (
    <section className={styles.block} aria-label={label}>
      <div className={styles.copy}>
        <CopyIcon value={value} what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: A block that scrolls must be reachable by keyboard. */}
      <pre className={styles.code} tabIndex={0}>
        {value}
      </pre>
    </section>
  )
}

export const Json = ({ label, value }: { label: string; value: unknown }) => (
  <Code label={label} value={JSON.stringify(value, null, 2)} />
)

/** An id or another short value, with a button that copies it. `isText`: it is read by people. */
export function Copied({ value, what, isText = false }: { value: string; what: string; isText?: boolean }) {
  return (
    <span className={styles.copied}>
      {isText ? <span>{value}</span> : <code>{value}</code>}
      <CopyIcon value={value} what={what} isSmall />
    </span>
  )
}
