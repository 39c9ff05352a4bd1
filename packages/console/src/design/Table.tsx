import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { localeOf } from '../texts/define.ts'
import { useLanguage } from '../texts/language.tsx'
import { Icon } from './Icon.tsx'
import styles from './Table.module.css'

export type Column<Row> = {
  name: string
  label: ReactNode
  cell(row: Row): ReactNode
  /** Numbers stand at the end of their column. */
  align?: 'end'
  /** Rows can be sorted by this; those with null come last. Only for tables that have all rows. */
  sortBy?: ((row: Row) => string | number | null) | undefined
}

type Sorting = { name: string; isDown: boolean } | null

/** Clicks on the header of a column sort by it upwards, then downwards, then not any more. */
const nextSorting = (sorting: Sorting, name: string): Sorting =>
  sorting?.name !== name ? { name, isDown: false } : sorting.isDown ? null : { name, isDown: true }

function useSorted<Row>(rows: Row[], columns: Column<Row>[]) {
  const { language } = useLanguage()
  const [sorting, setSorting] = useState<Sorting>(null)
  const sortBy = columns.find(({ name }) => name === sorting?.name)?.sortBy
  if (!sorting || !sortBy) return { sorting: null, setSorting, sorted: rows }
  const { compare } = new Intl.Collator(localeOf(language), { numeric: true })
  const sorted = rows.toSorted((a, b) => {
    const [one, other] = [sortBy(a), sortBy(b)]
    if (one === null || other === null) return Number(one === null) - Number(other === null)
    const order =
      typeof one === 'number' && typeof other === 'number' ? one - other : compare(String(one), String(other))
    return sorting.isDown ? -order : order
  })
  return { sorting, setSorting, sorted }
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
  const { sorting, setSorting, sorted } = useSorted(rows, columns)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: A table that is too wide is scrolled by keyboard.
    <section className={styles.frame} aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, label, align, sortBy }) => {
              const isDown = sorting?.name === name ? sorting.isDown : null
              return (
                <th
                  key={name}
                  scope="col"
                  data-align={align}
                  aria-sort={isDown === null ? undefined : isDown ? 'descending' : 'ascending'}
                >
                  {sortBy ? (
                    <button type="button" onClick={() => setSorting(nextSorting(sorting, name))}>
                      {label}
                      {isDown !== null && <Icon name={isDown ? 'arrowDown' : 'arrowUp'} size={12} />}
                    </button>
                  ) : (
                    label
                  )}
                </th>
              )
            })}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
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
