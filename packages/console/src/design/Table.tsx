import type { ReactNode } from 'react'
import { Link } from 'wouter'
import styles from './Table.module.css'

export type Column<Row> = {
  name: string
  label: ReactNode
  cell(row: Row): ReactNode
  /** Numbers stand at the end of their column. */
  align?: 'end'
}

type TableProps<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  keyOf(row: Row): string
  /** Makes the first cell of each row a button. */
  onOpen?: (row: Row) => void
  /** Makes the first cell of each row a link to this page. */
  linkOf?: (row: Row) => string
}

export function Table<Row>({ caption, columns, rows, keyOf, onOpen, linkOf }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A table that is too wide is scrolled by keyboard.
    <section className={styles.frame} aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, label, align }) => (
              <th key={name} scope="col" data-align={align}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} data-opens={onOpen || linkOf ? '' : undefined}>
              {columns.map(({ name, cell, align }, i) => (
                <td key={name} data-align={align}>
                  {linkOf && i === 0 ? (
                    <Link href={linkOf(row)} className={styles.open}>
                      {cell(row)}
                    </Link>
                  ) : onOpen && i === 0 ? (
                    <button type="button" className={styles.open} onClick={() => onOpen(row)}>
                      {cell(row)}
                    </button>
                  ) : (
                    cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
