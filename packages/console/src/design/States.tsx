import type { ReactNode } from 'react'
import { reasonOf } from '../texts/faults.ts'
import { useTexts } from '../texts/language.tsx'
import { Button } from './Button.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { Stack } from './Layout.tsx'
import styles from './States.module.css'
import { texts } from './texts.ts'

/*
 * The states of a part of a page without content: loading, empty, failed.
 */

type EmptyProps = { icon: IconName; title: string; children?: ReactNode }

export function EmptyState({ icon, title, children }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={28} />
      <h2>{title}</h2>
      {children && <div className={styles.more}>{children}</div>}
    </div>
  )
}

/** Grey lines where text will stand. */
export function Loading({ lines = 3 }: { lines?: number }) {
  const text = useTexts(texts)
  return (
    <Stack gap={3} className={styles.loading} role="status" aria-label={text.loading}>
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: The lines are all alike.
        <span key={i} className={styles.line} />
      ))}
    </Stack>
  )
}

/** A failed read, with the reason and a way to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const text = useTexts(texts)
  return (
    <div className={styles.empty} role="alert">
      <Icon name="warning" size={28} />
      <h2>{text.failed}</h2>
      <div className={styles.more}>
        <p>{reasonOf(error)}</p>
        {onRetry && <Button onClick={onRetry}>{text.retry}</Button>}
      </div>
    </div>
  )
}
