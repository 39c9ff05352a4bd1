import type { ReactNode } from 'react'
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
}

export function Table<Row>({ caption, columns, rows, keyOf, onOpen }: TableProps<Row>) {
  return (
    <div className={styles.frame}>
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
            <tr key={keyOf(row)} data-opens={onOpen ? '' : undefined}>
              {columns.map(({ name, cell, align }, i) => (
                <td key={name} data-align={align}>
                  {onOpen && i === 0 ? (
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
    </div>
  )
}
