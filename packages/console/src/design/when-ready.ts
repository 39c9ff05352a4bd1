import { useEffect, useState } from 'react'

/**
 * Acts at once, or when what is awaited is there: Enter after quick typing takes what was typed, not what the list
 * still shows.
 */
export function useWhenReady(isReady: boolean, act: () => void): { run(): void; cancel(): void } {
  const [isAwaited, setAwaited] = useState(false)
  useEffect(() => {
    if (!isAwaited || !isReady) return
    setAwaited(false)
    act()
  })
  return { run: () => (isReady ? act() : setAwaited(true)), cancel: () => setAwaited(false) }
}
