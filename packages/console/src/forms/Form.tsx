import type { ReactNode } from 'react'
import { Checkbox } from '../design/Field.tsx'
import styles from './Form.module.css'

/** Two fields beside each other, where there is room. */
export const Pair = ({ children }: { children: ReactNode }) => <div className={styles.pair}>{children}</div>

/** Fields that belong together, under a title. */
export function Group({ title, intro, children }: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {intro && <p className={styles.intro}>{intro}</p>}
      {children}
    </fieldset>
  )
}

type CheckProps = { label: string; hint?: string; checked: boolean; onChange(checked: boolean): void }

/** A choice of yes or no, with what it means. */
export function Check({ label, hint, checked, onChange }: CheckProps) {
  return (
    <div className={styles.check}>
      <Checkbox label={label} checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {hint && <p>{hint}</p>}
    </div>
  )
}
