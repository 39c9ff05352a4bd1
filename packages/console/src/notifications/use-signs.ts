import { useEffect } from 'react'
import { mostCounted } from '../data/notifications.ts'
import { useTitle } from '../design/title.ts'
import iconUnread from './icon-unread.svg'

/** A number, as there is room for it. */
export const shortCount = (count: number): string => (count > mostCounted ? `${mostCounted}+` : `${count}`)

/** Shows the number in the title and the icon of the page, and at that of an app that the browser has installed. */
export function useSigns(count: number): void {
  useTitle('count', count === 0 ? null : shortCount(count))
  const isUnread = count > 0
  useEffect(() => {
    if (!isUnread) return
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')!
    const { href } = icon
    icon.href = iconUnread
    return () => {
      icon.href = href
    }
  }, [isUnread])
  useEffect(() => {
    navigator.setAppBadge?.(count).catch(() => undefined)
  }, [count])
}
