import { useEffect, useState } from 'react'
import { useIsLive } from '../data/live.tsx'
import { Icon } from '../design/Icon.tsx'
import { useTexts } from '../texts/language.tsx'
import styles from './Shell.module.css'
import { texts } from './texts.ts'

/** A page that opens, or is shown again, connects within this time. */
const patienceMs = 4_000

/** Says in a line across the page that there is no connection, and what becomes of messages. */
export function Offline() {
  const text = useTexts(texts)
  const isLive = useIsLive()
  const [isOffline, setOffline] = useState(false)
  useEffect(() => {
    if (isLive) return setOffline(false)
    let timer: ReturnType<typeof setTimeout> | undefined
    // A hidden tab may have no connection of its own.
    const wait = () => {
      clearTimeout(timer)
      if (document.hidden) setOffline(false)
      else timer = setTimeout(() => setOffline(true), patienceMs)
    }
    wait()
    document.addEventListener('visibilitychange', wait)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', wait)
    }
  }, [isLive])
  return (
    <div role="status">
      {isOffline && (
        <p className={styles.offline}>
          <Icon name="warning" size={14} /> {text.noConnection}
        </p>
      )}
    </div>
  )
}
