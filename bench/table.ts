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

export const describeMachine = (): string => {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 1024 ** 3)
  return `Node ${process.version}, ${cpus().length} × ${cpu?.model.trim()}, ${gigabytes} GB, load by ${generator.name}`
}

/** A number with `digits` decimals; nothing for one that was not measured. */
export const formatNumber = (value: number | null | undefined, digits = 0): string =>
  value == null || Number.isNaN(value)
    ? ''
    : value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const rowHeads = ['request', 'connections', 'requests/s', 'p50 ms', 'p99 ms', 'of the limit']
export const costHeads = ['server µs', 'PostgreSQL µs', 'WAL bytes', 'failed', 'server MB']

export const cellsOf = (row: Row): Cell[] => [
  row.name,
  row.connections || '',
  formatNumber(row.perSecond),
  formatNumber(row.p50Ms, 1),
  formatNumber(row.p99Ms, 1),
  formatNumber(row.ratio, 2),
  formatNumber(row.cost?.serverMicros),
  formatNumber(row.cost?.postgresMicros),
  formatNumber(row.cost?.walBytes),
  row.failed,
  formatNumber(row.residentMb),
]
