import { Row } from '../../../design/Layout.tsx'
import { useTexts } from '../../../texts/language.tsx'
import { Swatch } from './Swatch.tsx'
import type { Kind } from './segments.ts'
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
  const segments = lines.flatMap(({ line }) => line.segments)
  const levels = (['warned', 'over'] as const).filter((level) =>
    segments.some((segment) => segment.kind === 'in_schedule' && segment.level === level),
  )
  return (
    <Row as="ul" wraps>
      {order
        .filter((kind) => segments.some((segment) => segment.kind === kind))
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
