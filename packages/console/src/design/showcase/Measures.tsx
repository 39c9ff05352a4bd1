import { useTexts } from '../../texts/language.tsx'
import { Stack } from '../Layout.tsx'
import styles from './Showcase.module.css'
import { texts } from './texts.ts'

const sizes = ['size-small', 'size', 'size-large', 'size-title', 'size-hero']
const weights = [400, 500, 600]
const gaps = ['gap-1', 'gap-2', 'gap-3', 'gap-4', 'gap-6', 'gap-8', 'control']
const corners = ['radius', 'radius-large']

export function TypeScale() {
  const text = useTexts(texts)
  return (
    <Stack as="ul" gap={3}>
      {sizes.map((size) => (
        <li key={size} className={styles.measure}>
          <code>--{size}</code>
          <span style={{ fontSize: `var(--${size})` }}>{text.sample}</span>
        </li>
      ))}
      {weights.map((weight) => (
        <li key={weight} className={styles.measure}>
          <code>{weight}</code>
          <span style={{ fontWeight: weight }}>{text.sample}</span>
        </li>
      ))}
      <li className={styles.measure}>
        <code>--mono</code>
        <code>{text.sample}</code>
      </li>
    </Stack>
  )
}

export function Spacing() {
  return (
    <Stack as="ul" gap={3}>
      {gaps.map((gap) => (
        <li key={gap} className={styles.measure}>
          <code>--{gap}</code>
          <span className={styles.bar} style={{ width: `var(--${gap})` }} />
        </li>
      ))}
      {corners.map((corner) => (
        <li key={corner} className={styles.measure}>
          <code>--{corner}</code>
          <span className={styles.corner} style={{ borderRadius: `var(--${corner})` }} />
        </li>
      ))}
      <li className={styles.measure}>
        <code>--shadow</code>
        <span className={styles.corner} style={{ boxShadow: 'var(--shadow)' }} />
      </li>
      <li className={styles.measure}>
        <code>--ring</code>
        <span className={styles.corner} style={{ boxShadow: 'var(--ring)' }} />
      </li>
    </Stack>
  )
}
