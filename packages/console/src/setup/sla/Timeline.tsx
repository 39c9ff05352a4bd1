import type { ReactNode } from 'react'
import { Card, Stack } from '../../design/Layout.tsx'
import { useFormats } from '../../texts/formats.ts'
import type { TimeRange } from './simulation.ts'
import styles from './Timeline.module.css'

export type TimelineMark = { atMs: number; kind: 'due' | 'met' | 'event' }
type TimelineLane = { name: string; facts: ReactNode; ranges: TimeRange[]; marks: TimelineMark[] }

const hourMs = 3_600_000
const steps = [1, 2, 3, 6, 12, 24, 48, 96, 168, 336, 672, 1_344].map((hours) => hours * hourMs)
const mostTicks = 7
const height = 20

type TimelineProps = { label: string; fromMs: number; toMs: number; lanes: TimelineLane[] }

/** Stretches of time drawn along one axis, a lane for each subject. */
export function Timeline({ label, fromMs, toMs, lanes }: TimelineProps) {
  const { day, time } = useFormats()
  const lengthMs = toMs - fromMs
  const stepMs = steps.find((step) => lengthMs / step <= mostTicks) ?? steps.at(-1)!
  const share = (ms: number): number => ((ms - fromMs) / lengthMs) * 100
  const midnight = new Date(fromMs).setHours(0, 0, 0, 0)
  const ticks = Array.from(
    { length: Math.ceil((toMs - midnight) / stepMs) },
    (_, i) => midnight + i * stepMs,
  ).filter((ms) => ms >= fromMs && share(ms) < 97)
  const tickOf = (ms: number): string =>
    new Date(ms).getHours() === 0 || stepMs >= 24 * hourMs ? day(ms) : time(ms)
  return (
    <Card as="figure" className={styles.timeline} aria-label={label}>
      {lanes.map(({ name, facts, ranges, marks }) => (
        <div key={name} className={styles.lane}>
          <Stack gap={0}>
            <strong>{name}</strong>
            <small>{facts}</small>
          </Stack>
          <svg
            className={styles.picture}
            viewBox={`0 0 100 ${height}`}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <defs>
              <pattern id="paused-time" width="0.8" height={height} patternUnits="userSpaceOnUse">
                <rect width="0.35" height={height} className={styles.stripe} />
              </pattern>
            </defs>
            {ticks.map((ms) => (
              <rect key={ms} x={share(ms)} width="0.1" height={height} className={styles.tick} />
            ))}
            {ranges.map(({ fromMs: start, toMs: end, kind }) => (
              <rect
                key={`${start} ${kind}`}
                x={share(start)}
                width={Math.max(0.15, share(end) - share(start))}
                y={kind === 'open' ? 7 : 3}
                height={kind === 'open' ? 6 : 14}
                className={styles[kind]}
              />
            ))}
            {marks.map(({ atMs, kind }) => (
              <rect
                key={`${atMs} ${kind}`}
                x={Math.min(99.6, share(atMs))}
                width="0.35"
                height={height}
                className={styles[kind]}
              />
            ))}
          </svg>
        </div>
      ))}
      <div className={styles.lane} aria-hidden="true">
        <span />
        <div className={styles.axis}>
          {ticks.map((ms) => (
            <span key={ms} style={{ left: `${share(ms)}%` }}>
              {tickOf(ms)}
            </span>
          ))}
        </div>
      </div>
    </Card>
  )
}
