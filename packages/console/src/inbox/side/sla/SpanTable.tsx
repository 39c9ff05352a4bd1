import type { ExplainedSlaClock } from '@backline/sdk'
import { useState } from 'react'
import { Button } from '../../../design/Button.tsx'
import { type Column, Table } from '../../../design/Table.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { useMedia } from '../../model/media.ts'
import { Swatch } from './Swatch.tsx'
import { texts } from './texts.ts'
import type { ClockLine } from './use-line.ts'

type Row = {
  fromMs: number
  toMs: number
  reason: ExplainedSlaClock['spans'][number]['reason']
  totalMs: number
}

const rowsAtFirst = 12
/** The API returns at most so many spans. */
const mostSpans = 10_000

/** The spans of a clock as a table, latest first: what the time line shows, in words. */
export function SpanTable({ of: { name, clock, line, elapsed } }: { of: ClockLine }) {
  const text = useTexts(texts)
  const { range, duration, number } = useFormats()
  const isWide = useMedia('(width >= 40rem)')
  const [isWhole, setWhole] = useState(false)
  const rows = rowsOf(clock, elapsed * 1_000, line.isOpen ? line.nowMs : null)
  const total: Column<Row> = {
    name: 'total',
    label: text.total,
    align: 'end',
    cell: ({ totalMs }) => duration(totalMs / 1_000, false),
  }
  const shown = isWhole ? rows : rows.slice(0, rowsAtFirst)
  return (
    <>
      <Table<Row>
        caption={`${text[name]}: ${text.fullList}`}
        rows={shown}
        keyOf={({ fromMs }) => String(fromMs)}
        columns={[
          {
            name: 'reason',
            label: text.reason,
            cell: ({ reason }) => <Swatch kind={reason} label={text[reason]} />,
          },
          { name: 'time', label: text.time, cell: ({ fromMs, toMs }) => range(fromMs, toMs) },
          {
            name: 'length',
            label: text.duration,
            align: 'end',
            cell: ({ fromMs, toMs, reason }) => duration((toMs - fromMs) / 1_000, reason !== 'in_schedule'),
          },
          ...(isWide ? [total] : []),
        ]}
      />
      {rows.length > shown.length && (
        <Button variant="plain" onClick={() => setWhole(true)}>
          {text.fullList} ({number(rows.length)})
        </Button>
      )}
      {clock.spans.length >= mostSpans && <p>{text.cut(number(mostSpans))}</p>}
    </>
  )
}

function rowsOf({ spans }: ExplainedSlaClock, elapsedMs: number, nowMs: number | null): Row[] {
  let totalMs = elapsedMs
  return spans.toReversed().map(({ from, to, reason, counted }, i) => {
    const fromMs = Date.parse(from)
    const toMs = i === 0 && nowMs !== null ? nowMs : Date.parse(to)
    const row = { fromMs, toMs, reason, totalMs }
    if (counted) totalMs = Math.max(totalMs - (toMs - fromMs), 0)
    return row
  })
}
