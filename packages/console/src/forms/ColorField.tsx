import { classes } from '../design/classes.ts'
import { Field } from '../design/Field.tsx'
import { Row } from '../design/Layout.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './ColorField.module.css'
import { texts } from './texts.ts'

/** Told apart from each other on light and dark surfaces. */
const offered = [
  '#eb5757',
  '#f2994a',
  '#d9a520',
  '#27ae60',
  '#1f9fb4',
  '#4f7df0',
  '#8f5ee0',
  '#d6569f',
  '#7a7f8c',
]

type ColorFieldProps = {
  label: string
  error?: string | undefined
  value: string | null
  onChange(value: string | null): void
}

/** One of a few colours, any other one, or none. */
export function ColorField({ label, error, value, onChange }: ColorFieldProps) {
  const text = useTexts(texts)
  const isOther = value !== null && !offered.includes(value.toLowerCase())
  return (
    <Field label={label} error={error} value={value}>
      {(described) => (
        <Row wraps>
          <button
            type="button"
            className={classes(styles.color, styles.none)}
            aria-label={text.noColor}
            aria-pressed={value === null}
            onClick={() => onChange(null)}
          />
          {offered.map((color) => (
            <button
              key={color}
              type="button"
              className={styles.color}
              style={{ background: color }}
              aria-label={text.color(color)}
              aria-pressed={value?.toLowerCase() === color}
              onClick={() => onChange(color)}
            />
          ))}
          <input
            {...described}
            type="color"
            title={text.otherColor}
            className={classes(styles.other, isOther && styles.chosen)}
            value={value ?? '#888888'}
            onChange={(event) => onChange(event.target.value)}
          />
        </Row>
      )}
    </Field>
  )
}
