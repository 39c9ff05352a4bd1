import { Component, type ReactNode } from 'react'
import { useTexts } from '../texts/language.tsx'
import { Button } from './Button.tsx'
import { Icon } from './Icon.tsx'
import styles from './States.module.css'
import { texts } from './texts.ts'

type Props = {
  /** Another value shows the part again. */
  resetKey?: string
  children: ReactNode
}

/** A part of the page whose errors leave the rest of the page as it is. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidUpdate({ resetKey }: Props): void {
    if (this.state.hasFailed && resetKey !== this.props.resetKey) this.#reset()
  }

  readonly #reset = () => this.setState({ hasFailed: false })

  override render(): ReactNode {
    return this.state.hasFailed ? <Broken onRetry={this.#reset} /> : this.props.children
  }
}

function Broken({ onRetry }: { onRetry(): void }) {
  const text = useTexts(texts)
  return (
    <div className={styles.empty} role="alert">
      <Icon name="warning" size={28} />
      <h2>{text.broken}</h2>
      <div className={styles.more}>
        <p>{text.brokenMore}</p>
        <Button onClick={onRetry}>{text.retry}</Button>
      </div>
    </div>
  )
}
