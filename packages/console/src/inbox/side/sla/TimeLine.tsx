import { useId } from 'react'
import { tooltip } from '../../../design/Tooltip.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import { geometry, type Size } from './geometry.ts'
import { Marks } from './Marks.tsx'
import { Patterns, Shape } from './Shape.tsx'
import { type Placed, scaleOf } from './scale.ts'
import styles from './TimeLine.module.css'
import { texts } from './texts.ts'
import { ticksOf } from './ticks.ts'
import type { ClockLine } from './use-line.ts'
import { useWidth } from './use-width.ts'

type TimeLineProps = { of: ClockLine; summary: string; size?: Size }

/**
 * A clock as a line: blocks are time that counted, gaps are time that did not, with their reason as pattern. The list
 * of the same spans is `SpanTable`.
 */
export function TimeLine({ of: { line }, summary, size = 'normal' }: TimeLineProps) {
  const id = useId()
  const formats = useFormats()
  const describe = useDescription()
  const { ref, width } = useWidth()
  const shape = geometry[size]
  const bottom = shape.top + shape.bar
  const scale = scaleOf(line.segments, width)
  const ticks = ticksOf(line, scale, width, formats)
  return (
    <div ref={ref} className={styles.frame}>
      <svg
        className={styles.line}
        width={width}
        height={bottom + shape.ticks}
        viewBox={`0 0 ${width} ${bottom + shape.ticks}`}
        role="img"
        aria-label={summary}
      >
        <Patterns id={id} />
        {scale.placed.map((segment) => (
          <Shape
            key={`${segment.fromMs} ${segment.kind}`}
            segment={segment}
            top={shape.top}
            height={shape.bar}
            id={id}
          />
        ))}
        {ticks.map(({ atMs, x, time, day, anchor }) => (
          <g key={atMs}>
            <line className={styles.tick} x1={x} x2={x} y1={bottom + 2} y2={bottom + 5} />
            <text className={styles.label} x={x} y={bottom + 16} textAnchor={anchor}>
              {time}
            </text>
            {day && (
              <text className={styles.day} x={x} y={bottom + 28} textAnchor={anchor}>
                {day}
              </text>
            )}
          </g>
        ))}
        {scale.placed.map((segment) => (
          <rect
            key={`${segment.fromMs} ${segment.kind}`}
            className={styles.catch}
            x={segment.x}
            y={shape.top - 4}
            width={Math.max(segment.width, 1)}
            height={shape.bar + 8}
            {...tooltip(describe(segment))}
          />
        ))}
        <Marks line={line} scale={scale} width={width} geometry={shape} />
      </svg>
    </div>
  )
}

/** "On hold: 3 h · Mon, Nov 23, 9:00 AM – 12:00 PM" */
function useDescription(): (segment: Placed) => string {
  const text = useTexts(texts)
  const { range, duration } = useFormats()
  return ({ kind, level, fromMs, toMs, countedMs, isCompressed, isFuture, count }) => {
    const counted = { calm: text.in_schedule, warned: text.warnedSpan, over: text.over }[level]
    const name = kind === 'in_schedule' ? counted : text[kind]
    const amount =
      kind === 'mixed'
        ? `${text.countedOf(duration(countedMs / 1_000, false), duration((toMs - fromMs) / 1_000))}, ${text.spans(count)}`
        : duration((toMs - fromMs) / 1_000)
    const parts = [`${name}: ${amount}`, range(fromMs, toMs)]
    if (isCompressed && !isFuture) parts.push(text.compressed)
    return parts.join(' · ')
  }
}
