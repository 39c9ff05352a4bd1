import { breakWidth, type Placed } from './scale.ts'
import type { Level } from './segments.ts'
import styles from './TimeLine.module.css'

const classOfLevel: Record<Level, string | undefined> = {
  calm: styles.counted,
  warned: styles.warned,
  over: styles.over,
}

/** Fills of spans that did not count because somebody was waited for. */
export function Patterns({ id }: { id: string }) {
  return (
    <defs>
      <pattern
        id={`${id}hold`}
        width="5"
        height="5"
        patternUnits="userSpaceOnUse"
        patternTransform="rotate(45)"
      >
        <line className={styles.hatch} x1="0" y1="0" x2="0" y2="5" />
      </pattern>
      <pattern id={`${id}pending`} width="4" height="4" patternUnits="userSpaceOnUse">
        <circle className={styles.dots} cx="2" cy="2" r="0.8" />
      </pattern>
    </defs>
  )
}

type ShapeProps = { segment: Placed; top: number; height: number; id: string }

/** A block for time that counted; for other time something thinner: a line, or a band whose pattern says why. */
export function Shape({ segment, top, height, id }: ShapeProps) {
  const { x, width, kind, level, isCompressed } = segment
  const middle = top + height / 2
  const box = { x: x + 0.25, width: Math.max(width - 0.5, 1) }
  const band = { ...box, y: middle - height * 0.3, height: height * 0.6, rx: 1.5 }
  const broken = isCompressed && width >= breakWidth - 2 && (
    <Break x={x + width / 2} y={middle} size={height} />
  )
  switch (kind) {
    case 'in_schedule':
      return (
        <g>
          <rect className={classOfLevel[level]} {...box} y={top} height={height} rx="2" />
          {broken}
        </g>
      )
    case 'mixed':
      return (
        <rect className={`${styles.mixed} ${classOfLevel[level]}`} {...box} y={top} height={height} rx="2" />
      )
    case 'ahead':
      return (
        <rect
          className={styles.ahead}
          x={x + 0.5}
          width={Math.max(width - 1, 0.5)}
          y={top + 0.5}
          height={height - 1}
          rx="2"
        />
      )
    case 'on_hold':
    case 'pending':
      return (
        <g>
          <rect
            className={styles.hatched}
            {...band}
            fill={`url(#${id}${kind === 'on_hold' ? 'hold' : 'pending'})`}
          />
          {broken}
        </g>
      )
    case 'holiday':
      return (
        <g>
          <rect className={styles.holiday} {...band} />
          {broken}
        </g>
      )
    default:
      return (
        <g>
          <line
            className={kind === 'outside_schedule' ? styles.track : styles.dotted}
            x1={x}
            x2={x + width}
            y1={middle}
            y2={middle}
          />
          {broken}
        </g>
      )
  }
}

/** Two strokes across a gap that is drawn shorter than it was. */
function Break({ x, y, size }: { x: number; y: number; size: number }) {
  const half = size * 0.5 + 1
  return (
    <g>
      <polygon
        className={styles.breakGround}
        points={`${x - 3.5},${y + half} ${x - 0.5},${y - half} ${x + 3.5},${y - half} ${x + 0.5},${y + half}`}
      />
      <line className={styles.break} x1={x - 3.5} y1={y + half} x2={x - 0.5} y2={y - half} />
      <line className={styles.break} x1={x + 0.5} y1={y + half} x2={x + 3.5} y2={y - half} />
    </g>
  )
}
