import { breaksLine, readVisible } from './visible.ts'

type Table = {
  number: number
  isData: boolean
  hasBorder: boolean
  columns: number
  rows: number
  cells: number
  inRow: boolean
}

/** The renderer shows no more, over all tables of a text. */
const maxCells = 4_000

const parts = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption'])
/** Outlook and Gmail put each cell into a paragraph. */
const wrappers = new Set(['p', 'div', 'center'])

/**
 * Finds the tables that have data: with header cells or borders, the same number of columns in each row, and one line
 * in each cell. Other tables only lay out a mail.
 * @returns their numbers in the order of their start tags, from 0
 */
export function dataTablesOf(html: string): Set<number> {
  const found = new Set<number>()
  if (!/<t[dh]/i.test(html)) return found
  const open: (Table | null)[] = []
  const tables: Table[] = []
  let [seen, cells] = [0, 0]
  const endRow = (table: Table) => {
    if (!table.inRow) return
    table.inRow = false
    table.rows++
    if (table.rows === 1) table.columns = table.cells
    else if (table.cells !== table.columns) table.isData = false
    table.cells = 0
  }
  readVisible(html, {
    open({ name, attributes }, style) {
      const table = tables.at(-1)
      if (name === 'table') {
        if (table) table.isData = false
        const hasBorder = Number(attributes.border ?? 0) > 0 || /MsoTableGrid/.test(attributes.class ?? '')
        const isData = attributes.role !== 'presentation' && attributes.role !== 'none'
        const next = { number: seen++, isData, hasBorder, columns: 0, rows: 0, cells: 0, inRow: false }
        tables.push(next)
        open.push(next)
        return
      }
      open.push(null)
      if (!table) return
      if (name === 'tr') table.inRow = true
      else if (name === 'th' || name === 'td') {
        table.cells++
        cells++
        if (!table.inRow || (attributes.colspan ?? '1') !== '1' || (attributes.rowspan ?? '1') !== '1') {
          table.isData = false
        }
        if (name === 'th' || /\bsolid\b/.test(style.get('border') ?? style.get('border-bottom') ?? '')) {
          table.hasBorder = true
        }
      } else if (breaksLine.has(name) && !parts.has(name) && !wrappers.has(name)) table.isData = false
    },
    close(name) {
      const closed = open.pop()
      const table = tables.at(-1)
      if (name === 'tr' && table) endRow(table)
      if (!closed) return
      tables.pop()
      const { isData, hasBorder, columns, rows, number } = closed
      if (isData && hasBorder && columns > 1 && rows > 1 && cells <= maxCells) found.add(number)
    },
    text() {},
    image() {},
  })
  return found
}
