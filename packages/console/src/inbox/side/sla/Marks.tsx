import { tooltip } from '../../../design/Tooltip.tsx'
import { useFormats } from '../../../texts/formats.ts'
import { useTexts } from '../../../texts/language.tsx'
import type { Geometry } from './geometry.ts'
import type { Scale } from './scale.ts'
import type { Line } from './segments.ts'
import styles from './TimeLine.module.css'
import { texts } from './texts.ts'

type Mark = { name: 'target' | 'breach' | 'met' | 'now' | 'warning'; atMs: number; label: string }

type MarksProps = { line: Line; scale: Scale; width: number; geometry: Geometry }

/** The points in time that matter: each has a shape of its own, and a word where there is room. */
export function Marks({ line, scale, width, geometry: { top, bar } }: MarksProps) {
  const text = useTexts(texts)
  const { moment } = useFormats()
  const { targetMs, warningMs, metMs, nowMs, isOpen, isBreached } = line
  const marks: Mark[] = []
  const add = (name: Mark['name'], atMs: number | null, label: string) => {
    if (atMs !== null && atMs >= line.fromMs && atMs <= line.toMs) marks.push({ name, atMs, label })
  }
  add(isBreached ? 'breach' : 'target', targetMs, isBreached ? text.breach : text.target)
  add('met', metMs, text.met)
  add('now', isOpen ? nowMs : null, text.now)
  add('warning', warningMs, text.warning)
  const taken: [number, number][] = []
  const named = marks.map((mark) => {
    const x = scale.xOf(mark.atMs)
    const half = mark.label.length * 3.1 + 2
    const centre = Math.min(Math.max(x, half), width - half)
    const fits = taken.every(([from, to]) => centre + half < from || centre - half > to)
    if (fits) taken.push([centre - half, centre + half])
    return { ...mark, x, centre, fits }
  })
  return named.toReversed().map(({ name, atMs, x, centre, label, fits }) => (
    <g key={name} className={`${styles.mark} ${styles[name]}`}>
      <g
        {...tooltip(
          `${label}: ${name === 'target' && line.isOpenEnded ? text.notWhilePaused : moment(atMs)}`,
        )}
      >
        <rect className={styles.catch} x={x - 6} y={top - 10} width="12" height={bar + 12} />
        <Shape name={name} x={x} top={top} bar={bar} />
      </g>
      {fits && (
        <text className={`${styles.markLabel} ${styles.text}`} x={centre} y={top - 11} textAnchor="middle">
          {label}
        </text>
      )}
    </g>
  ))
}

function Shape({ name, x, top, bar }: { name: Mark['name']; x: number; top: number; bar: number }) {
  const bottom = top + bar
  switch (name) {
    case 'warning':
      return (
        <polygon points={`${x - 3.5},${top - 6} ${x + 3.5},${top - 6} ${x},${top - 1}`} strokeWidth="0" />
      )
    case 'met':
      return (
        <g>
          <circle className={styles.halo} cx={x} cy={top + bar / 2} r="7" />
          <circle cx={x} cy={top + bar / 2} r="5.5" strokeWidth="0" />
          <path className={styles.check} d={`M${x - 2.5} ${top + bar / 2 + 0.2} l1.8 1.8 l3.2 -3.6`} />
        </g>
      )
    case 'now':
      return (
        <g>
          <line x1={x} x2={x} y1={top - 3} y2={bottom + 3} />
          <circle cx={x} cy={top - 3} r="2.25" strokeWidth="0" />
        </g>
      )
    default:
      return (
        <g>
          <line x1={x} x2={x} y1={top - 5} y2={bottom + 3} strokeWidth="2" />
          <polygon
            points={`${x - 3.5},${top - 5} ${x},${top - 8.5} ${x + 3.5},${top - 5} ${x},${top - 1.5}`}
            strokeWidth="0"
          />
        </g>
      )
  }
}
