import { Row } from '../../../design/Layout.tsx'
import { useTexts } from '../../../texts/language.tsx'
import type { Kind } from './pieces.ts'
import { Swatch } from './Swatch.tsx'
import { texts } from './texts.ts'
import type { ClockLine } from './use-line.ts'

const order: Kind[] = [
  'in_schedule',
  'on_hold',
  'pending',
  'outside_schedule',
  'holiday',
  'answered',
  'ahead',
  'after',
]

/** The meaning of each pattern that occurs on the lines. */
export function Legend({ lines }: { lines: ClockLine[] }) {
  const text = useTexts(texts)
  const pieces = lines.flatMap(({ line }) => line.pieces)
  const levels = (['warned', 'over'] as const).filter((level) =>
    pieces.some((piece) => piece.kind === 'in_schedule' && piece.level === level),
  )
  return (
    <Row as="ul" wraps>
      {order
        .filter((kind) => pieces.some((piece) => piece.kind === kind))
        .map((kind) => (
          <li key={kind}>
            <Swatch kind={kind} label={text[kind]} />
          </li>
        ))}
      {levels.map((level) => (
        <li key={level}>
          <Swatch kind="in_schedule" level={level} label={level === 'over' ? text.over : text.warnedSpan} />
        </li>
      ))}
    </Row>
  )
}
