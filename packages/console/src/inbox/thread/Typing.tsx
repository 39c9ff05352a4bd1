import { useEffect, useState } from 'react'
import { useLiveEvents } from '../../data/live.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Thread.module.css'
import { texts } from './texts.ts'

/** Says that the end user is typing, until the report expires or a message comes. */
export function Typing({ conversationId, name }: { conversationId: string; name: string }) {
  const text = useTexts(texts)
  const [until, setUntil] = useState<number | null>(null)
  useLiveEvents((event) => {
    if (event.type === 'typing') {
      const { conversation_id, side, typing, expires_at } = event.data
      if (conversation_id === conversationId && side === 'end_user')
        setUntil(typing ? Date.parse(expires_at) : null)
    } else if (
      event.type === 'message.created' &&
      event.data.object.conversation_id === conversationId &&
      event.data.object.author_side === 'end_user'
    )
      setUntil(null)
  })
  useEffect(() => {
    if (until === null) return
    const timer = setTimeout(() => setUntil(null), Math.max(0, until - Date.now()))
    return () => clearTimeout(timer)
  }, [until])
  return (
    <p className={styles.typing} role="status">
      {until !== null && text.typing(name)}
    </p>
  )
}
