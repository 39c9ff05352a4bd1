import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../design/Icon.tsx'
import { Row } from '../../design/Layout.tsx'
import { useTitle } from '../../design/title.ts'
import styles from './Workbench.module.css'

type WorkbenchHeaderProps = {
  title: string
  /** The list that the item belongs to. */
  list: { href: string; label: string }
  badge: ReactNode
  children: ReactNode
}

/** The name of what is edited, with its state and its actions. */
export function WorkbenchHeader({ title, list, badge, children }: WorkbenchHeaderProps) {
  useTitle('page', title)
  return (
    <Row as="header" wraps className={styles.header}>
      <Link href={list.href} className={styles.back}>
        <Icon name="arrowLeft" /> {list.label}
      </Link>
      <h1 className={styles.name} dir="auto" title={title}>
        {title}
      </h1>
      {badge}
      <Row justify="end" className={styles.actions}>
        {children}
      </Row>
    </Row>
  )
}
