import { useMemo, useState } from 'react'
import { classes } from '../../design/classes.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './Comparison.module.css'
import { compareTexts, type Row, type Segment } from './diff.ts'
import { texts } from './texts.ts'

type ComparisonProps = {
  caption: string
  before: { label: string; text: string }
  after: { label: string; text: string }
}

const shownAround = 3

type Part = { rows: Row[]; isFolded: boolean }

/** Long runs of equal lines are folded, except for those beside a change. */
function partsOf(rows: Row[]): Part[] {
  const near = rows.map((_, i) =>
    rows.slice(Math.max(0, i - shownAround), i + shownAround + 1).some(({ kind }) => kind !== 'same'),
  )
  const parts: Part[] = []
  rows.forEach((row, i) => {
    const isFolded = !near[i]
    const last = parts.at(-1)
    if (last?.isFolded === isFolded) last.rows.push(row)
    else parts.push({ rows: [row], isFolded })
  })
  return parts.map((part) => (part.rows.length > 2 ? part : { ...part, isFolded: false }))
}

/** Two texts side by side, line by line, with the words that differ. Signs tell changes apart, not colours alone. */
export function Comparison({ caption, before, after }: ComparisonProps) {
  const text = useTexts(texts)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => compareTexts(before.text, after.text), [before.text, after.text])
  const parts = useMemo(() => partsOf(rows), [rows])
  const isEqual = rows.every(({ kind }) => kind === 'same')
  return (
    <div className={styles.frame}>
      {isEqual && <p className={styles.equal}>{text.equal}</p>}
      <table className={styles.table}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className={styles.number}>
              <span className="visually-hidden">{text.line}</span>
            </th>
            <th scope="col">{before.label}</th>
            <th scope="col" className={classes(styles.number, styles.second)}>
              <span className="visually-hidden">{text.line}</span>
            </th>
            <th scope="col">{after.label}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part, i) =>
            part.isFolded && !opened.has(i) ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: Parts have no other identity.
              <tr key={i}>
                <td colSpan={4} className={styles.fold}>
                  <button type="button" onClick={() => setOpened(new Set([...opened, i]))}>
                    {text.unchanged(part.rows.length)}
                  </button>
                </td>
              </tr>
            ) : (
              part.rows.map((row) => <Line key={rowKey(row)} row={row} />)
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

const rowKey = (row: Row): string => `${'left' in row ? row.left : ''}:${'right' in row ? row.right : ''}`

function Line({ row }: { row: Row }) {
  const text = useTexts(texts)
  if (row.kind === 'same')
    return (
      <tr>
        <td className={styles.number}>{row.left}</td>
        <td className={styles.text}>{row.text}</td>
        <td className={classes(styles.number, styles.second)}>{row.right}</td>
        <td className={styles.text}>{row.text}</td>
      </tr>
    )
  const isBoth = row.kind === 'changed'
  return (
    <tr>
      {'before' in row ? (
        <>
          <td className={classes(styles.number, styles.removed)}>{row.left}</td>
          <td className={classes(styles.text, styles.removed)}>
            <span className={styles.sign} role="img" aria-label={isBoth ? text.changedLine : text.removed}>
              −
            </span>
            <Words segments={row.before} isRemoved />
          </td>
        </>
      ) : (
        <td colSpan={2} className={styles.none} />
      )}
      {'after' in row ? (
        <>
          <td className={classes(styles.number, styles.second, styles.added)}>{row.right}</td>
          <td className={classes(styles.text, styles.added)}>
            <span className={styles.sign} role="img" aria-label={isBoth ? text.changedLine : text.added}>
              +
            </span>
            <Words segments={row.after} />
          </td>
        </>
      ) : (
        <td colSpan={2} className={classes(styles.none, styles.second)} />
      )}
    </tr>
  )
}

function Words({ segments, isRemoved = false }: { segments: Segment[]; isRemoved?: boolean }) {
  const Changed = isRemoved ? 'del' : 'ins'
  return segments.map((segment, i) =>
    segment.isChanged ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: Segments have no other identity.
      <Changed key={i}>{segment.text}</Changed>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: Segments have no other identity.
      <span key={i}>{segment.text}</span>
    ),
  )
}
