import { useQueryClient } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useTexts } from '../texts/language.tsx'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import styles from './States.module.css'
import { texts } from './texts.ts'

/** A part of the page whose errors leave the rest of the page as it is. Another address shows the part again. */
export function ErrorBoundary({ children }: { children: ReactNode }) {
  const [path] = useLocation()
  return <Boundary path={path}>{children}</Boundary>
}

type BoundaryProps = { path: string; children: ReactNode }

class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  /** Listeners for errors of the page are told of one that is caught, too. */
  override componentDidCatch(error: unknown): void {
    reportError(error)
  }

  override componentDidUpdate({ path }: BoundaryProps): void {
    if (this.state.hasFailed && path !== this.props.path) this.#reset()
  }

  readonly #reset = () => this.setState({ hasFailed: false })

  override render(): ReactNode {
    return this.state.hasFailed ? <Broken onRetry={this.#reset} /> : this.props.children
  }
}

function Broken({ onRetry }: { onRetry(): void }) {
  const text = useTexts(texts)
  const cache = useQueryClient()
  /** The answers that the part shows may have broken it. */
  async function retry(): Promise<void> {
    void cache.resetQueries({ predicate: (query) => !query.isActive() })
    await cache.refetchQueries({ type: 'active' })
    onRetry()
  }
  return (
    <div className={styles.empty} role="alert">
      <Icon name="warning" size={28} />
      <h2>{text.broken}</h2>
      <div className={styles.more}>
        <p>{text.brokenMore}</p>
        <Button onClick={() => void retry()}>{text.retry}</Button>
      </div>
    </div>
  )
}
