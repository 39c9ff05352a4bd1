import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { Badge } from '../Badge.tsx'
import { Card, Row } from '../Layout.tsx'
import { above, colourOf, contrastOf } from './contrast.ts'
import styles from './Showcase.module.css'
import { texts } from './texts.ts'

/** Colours as pages combine them: of the text or line, and of what is behind. */
const pairs: { front: string; back: string; needed: number }[] = [
  ...['ground', 'surface', 'raised', 'hover', 'selected', 'note-soft'].flatMap((back) =>
    ['text', 'text-quiet'].map((front) => ({ front, back, needed: 4.5 })),
  ),
  ...['accent', 'good', 'warn', 'bad'].map((front) => ({ front, back: 'surface', needed: 4.5 })),
  { front: 'accent', back: 'info-soft', needed: 4.5 },
  ...['good', 'warn', 'bad'].map((front) => ({ front, back: `${front}-soft`, needed: 4.5 })),
  { front: 'text-on-accent', back: 'accent', needed: 4.5 },
  { front: 'text-on-accent', back: 'accent-hover', needed: 4.5 },
  { front: 'line-strong', back: 'surface', needed: 3 },
]

/** The colours of the theme that is chosen. */
export function Colours() {
  const theme = useThemeChanges()
  return (
    <Card as="ul" className={styles.pairs}>
      {pairs.map((pair) => (
        <Pair key={`${pair.front} ${pair.back} ${theme}`} {...pair} />
      ))}
    </Card>
  )
}

/** A number that changes with the theme of the page or of the system. */
function useThemeChanges(): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const changed = () => setCount((before) => before + 1)
    const observer = new MutationObserver(changed)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', changed)
    return () => {
      observer.disconnect()
      system.removeEventListener('change', changed)
    }
  }, [])
  return count
}

function Pair({ front, back, needed }: { front: string; back: string; needed: number }) {
  const text = useTexts(texts)
  const { number } = useFormats()
  const ground = useRef<HTMLSpanElement>(null)
  const sample = useRef<HTMLSpanElement>(null)
  const [contrast, setContrast] = useState(0)
  useLayoutEffect(() => {
    if (!ground.current || !sample.current) return
    const behind = colourOf(getComputedStyle(ground.current).backgroundColor)
    const { color, backgroundColor } = getComputedStyle(sample.current)
    const seen = above(colourOf(backgroundColor), behind)
    setContrast(contrastOf(above(colourOf(color), seen), seen))
  }, [])
  return (
    <Row as="li">
      <span ref={ground} className={styles.ground}>
        <span
          ref={sample}
          aria-hidden="true"
          className={styles.swatch}
          style={{ color: `var(--${front})`, background: `var(--${back})` }}
        >
          {needed === 3 ? <span className={styles.rule} /> : 'Aa'}
        </span>
      </span>
      <span className={styles.names}>
        {front}{' '}
        <small>
          {text.on} {back}
        </small>
      </span>
      <span className={styles.contrast}>{number(Math.floor(contrast * 10) / 10)}</span>
      {contrast < needed && <Badge tone="bad">{text.tooLow}</Badge>}
    </Row>
  )
}
