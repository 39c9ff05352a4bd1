import { cpus, totalmem } from 'node:os'
import { generator } from './load.ts'
import type { Row } from './measure.ts'

type Cell = string | number

export function printTable(heads: string[], rows: Cell[][]): void {
  const line = (cells: Cell[]) => console.log(`| ${cells.join(' | ')} |`)
  line(heads)
  line(heads.map((_, i) => (i === 0 ? '---' : '---:')))
  for (const cells of rows) line(cells)
}

export const machine = (): string => {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  return `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${gigabytes} GB, load by ${generator.name}`
}

/** A number with `digits` decimals; nothing for one that was not measured. */
export const shown = (value: number | null | undefined, digits = 0): string =>
  value == null || Number.isNaN(value)
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const rowHeads = ['request', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'of the limit']
export const costHeads = ['server µs', 'PostgreSQL µs', 'WAL bytes', 'failed', 'server MB']

export const cellsOf = (row: Row): Cell[] => [
  row.name,
  row.connections || '',
  shown(row.perSecond),
  shown(row.p50Ms, 1),
  shown(row.p99Ms, 1),
  shown(row.ratio, 2),
  shown(row.cost?.serverMicros),
  shown(row.cost?.postgresMicros),
  shown(row.cost?.walBytes),
  row.failed,
  shown(row.residentMb),
]
