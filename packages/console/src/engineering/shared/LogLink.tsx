import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useLogTime } from '../../app/Times.tsx'
import { useEnvironmentNow } from '../../data/now.ts'
import { classes } from '../../design/classes.ts'
import styles from './LogLink.module.css'

type LogLinkProps = {
  href: string
  isOpen: boolean
  at: string
  /** Has the columns of the log; the time is the first one. */
  className: string | undefined
  children: ReactNode
}

/** One line of a log, which leads to its details. */
export function LogLink({ href, isOpen, at, className, children }: LogLinkProps) {
  const nowMs = useEnvironmentNow()
  const timeOf = useLogTime()
  return (
    <Link
      href={href}
      className={classes(styles.link, className, isOpen && styles.open)}
      aria-current={isOpen ? 'true' : undefined}
    >
      <time dateTime={at} className={styles.code}>
        {timeOf(at, nowMs)}
      </time>
      {children}
    </Link>
  )
}

/** The name of what has happened. */
export const LogName = ({ children }: { children: ReactNode }) => (
  <span className={styles.name}>{children}</span>
)

export const LogCode = ({ className, children }: { className: string | undefined; children: ReactNode }) => (
  <span className={classes(styles.code, className)}>{children}</span>
)
