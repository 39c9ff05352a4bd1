import type { ReactNode } from 'react'
import { IconButton } from '../../design/Button.tsx'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './Detail.module.css'

type DetailProps = { title: ReactNode; actions?: ReactNode; onClose(): void; children: ReactNode }

/** The item that a list has opened. */
export function Detail({ title, actions, onClose, children }: DetailProps) {
  const text = useTexts(common)
  return (
    <>
      <header className={styles.header}>
        <h2>{title}</h2>
        {actions}
        <IconButton icon="close" label={text.close} shortcut="escape" onClick={onClose} />
      </header>
      <div className={styles.body}>
        <ErrorBoundary>{children}</ErrorBoundary>
      </div>
    </>
  )
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  )
}
