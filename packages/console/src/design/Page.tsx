import type { ReactNode } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import styles from './Page.module.css'
import { useTitle } from './title.ts'

type PageProps = { title: string; intro?: ReactNode; actions?: ReactNode; children: ReactNode }

/** A page of the console that scrolls as a whole: a title, its actions, its content. */
export function Page({ title, intro, actions, children }: PageProps) {
  useTitle('page', title)
  return (
    <div className={styles.page}>
      <div className={styles.inner}>
        <header className={styles.header}>
          <div>
            <h1>{title}</h1>
            {intro && <p>{intro}</p>}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
        {children}
      </div>
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
    <section className={styles.section}>
      <header className={styles.header}>
        <h2>{title}</h2>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      <ErrorBoundary>{children}</ErrorBoundary>
    </section>
  )
}

/** Names and values of one thing. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
