import { Link, useLocation } from 'wouter'
import { useEnvironment } from '../data/environment.tsx'
import { Icon } from '../design/Icon.tsx'
import { useTitle } from '../design/title.ts'
import { useTexts } from '../texts/language.tsx'
import { useUnsent } from './model/outbox.tsx'
import { texts } from './texts.ts'
import styles from './Unsent.module.css'

function useUnsentCount(): number {
  return [...useUnsent().values()].reduce((sum, count) => sum + count, 0)
}

/** The number of messages that were not sent, and the way to one of them. Nothing if all were sent. */
export function Unsent() {
  const text = useTexts(texts)
  const { name } = useEnvironment()
  const [path] = useLocation()
  const ids = [...useUnsent().keys()]
  const count = useUnsentCount()
  // From one conversation to the next.
  const next = ids[(ids.findIndex((id) => path.includes(id)) + 1) % ids.length]
  return (
    <div role="status" className={styles.place}>
      {next && (
        <Link href={`/${name}/inbox/all/${next}`} className={styles.unsent}>
          <Icon name="warning" /> {text.notSent(count)}
        </Link>
      )}
    </div>
  )
}

/** Says in the title of the page how many messages were not sent. */
export function useUnsentTitle(): void {
  const text = useTexts(texts)
  const count = useUnsentCount()
  useTitle('notice', count === 0 ? null : text.notSent(count))
}
