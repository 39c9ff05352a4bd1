import type { ReactNode } from 'react'
import { IconButton } from '../../design/Button.tsx'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/language.tsx'
import styles from './Detail.module.css'

type DetailProps = { title: ReactNode; actions?: ReactNode; onClose(): void; children: ReactNode }

/** The item that a list has opened. */
export function Detail({ title, actions, onClose, children }: DetailProps) {
  const text = useTexts(common)
  return (
    <>
      <Row as="header" gap={1} className={styles.header}>
        <h2>{title}</h2>
        {actions}
        <IconButton icon="close" label={text.close} shortcut="escape" onClick={onClose} />
      </Row>
      <Stack gap={4} className={styles.body}>
        <ErrorBoundary>{children}</ErrorBoundary>
      </Stack>
    </>
  )
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack as="section">
      <h3>{title}</h3>
      {children}
    </Stack>
  )
}
