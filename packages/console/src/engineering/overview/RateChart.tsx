import { Quiet, Row, Stack } from '../../design/Layout.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './RateChart.module.css'
import { texts } from './texts.ts'

const height = 120
const step = 20
const width = 14

/** The next larger 1, 2 or 5 times a power of ten. */
function scaleOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 1)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= most)!
}

/** Bars, one a minute, the current one last. */
export function RateChart({ counts, sinceMs }: { counts: number[]; sinceMs: number }) {
  const text = useTexts(texts)
  const { number, time } = useFormats()
  const most = Math.max(...counts)
  const scale = scaleOf(most)
  const sum = counts.reduce((total, count) => total + count, 0)
  const timeOf = (minute: number) => time(new Date(sinceMs + minute * 60_000).toISOString())
  return (
    <Stack as="figure" gap={1}>
      <div className={styles.plot}>
        <small className={styles.scale}>{number(scale)}</small>
        <svg
          viewBox={`0 0 ${counts.length * step} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={text.chart(counts.length, number(sum), number(most))}
        >
          {[0, 0.5, 1].map((at) => (
            <line
              key={at}
              className={styles.line}
              x1="0"
              x2={counts.length * step}
              y1={at * height}
              y2={at * height}
            />
          ))}
          {counts.map((count, minute) => {
            const size = (count / scale) * height
            return (
              <g key={timeOf(minute)}>
                <title>{text.minute(timeOf(minute), count)}</title>
                <rect className={styles.space} x={minute * step} y="0" width={step} height={height} />
                <rect
                  className={styles.bar}
                  x={minute * step + (step - width) / 2}
                  y={height - size}
                  width={width}
                  height={size}
                />
              </g>
            )
          })}
        </svg>
      </div>
      <Row as="small" gap={0} justify="between" className={styles.times} aria-hidden="true">
        <span>{timeOf(0)}</span>
        <span>{timeOf(Math.floor(counts.length / 2))}</span>
        <span>{timeOf(counts.length - 1)}</span>
      </Row>
      <Quiet as="figcaption">{text.chart(counts.length, number(sum), number(most))}</Quiet>
    </Stack>
  )
}
