import type { ReactNode } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Row, Stack } from './Layout.tsx'
import styles from './Page.module.css'
import { useTitle } from './title.ts'

type PageProps = { title: string; intro?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page of the console that scrolls as a whole: a title, its actions, its content. */
export function Page({ title, intro, actions, children }: PageProps) {
  useTitle('page', title)
  return (
    <div className={styles.page}>
      <Stack gap={6} className={styles.inner}>
        <Row as="header" gap={3} wraps justify="between" className={styles.header}>
          <div>
            <h1>{title}</h1>
            {intro && <p>{intro}</p>}
          </div>
          {actions && <Row wraps>{actions}</Row>}
        </Row>
        {children}
      </Stack>
    </div>
  )
}

export function Section({
  title,
  actions,
  children,
}: {
  title: string
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <Stack as="section" gap={3}>
      <Row as="header" gap={3} wraps justify="between">
        <h2>{title}</h2>
        {actions && <Row wraps>{actions}</Row>}
      </Row>
      <ErrorBoundary>{children}</ErrorBoundary>
    </Stack>
  )
}

/** Names and values of one thing. */
export function DescriptionList({ items }: { items: [name: string, value: ReactNode][] }) {
  return (
    <Stack as="dl" className={styles.facts}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </Stack>
  )
}
