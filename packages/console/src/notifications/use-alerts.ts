import type { Notification as Notice } from '@backline/sdk'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../data/environment.tsx'
import { isStored, useIsLeading, useLiveEvents } from '../data/live.tsx'
import { useOwnStatus } from '../data/own-status.ts'
import { showsOnDesktop, useSound } from './choices.ts'
import { useHref, useOpened } from './open.ts'
import { useShown } from './shown.ts'

/**
 * Tells of notifications outside of the page, on the desktop and by a sound, if the person has chosen so. One tab of
 * the browser does it. Nothing is told while the person is busy.
 */
export function useAlerts(): void {
  const environment = useEnvironment()
  const isLeading = useIsLeading()
  const [path, navigate] = useLocation()
  const hrefOf = useHref()
  const opened = useOpened()
  useShown(path)
  const isBusy = useOwnStatus().status?.status === 'busy'
  const open = (notification: Notice) => {
    navigate(hrefOf(notification))
    opened(notification)
  }
  const shown = useRef(new Map<string, Notification>())
  useLiveEvents((event) => {
    if (isStored(event) || event.type !== 'notification') return
    const { notification: notice, desktop } = event.data
    if (notice === null) for (const each of shown.current.values()) each.close()
    else if (notice.read_at !== null) shown.current.get(notice.id)?.close()
    else if (desktop && isLeading && !isBusy && (showsOnDesktop() || useSound.read() === 'on'))
      void import('./alert.ts')
        .then(({ alertOf }) => alertOf(notice, environment, shown.current, open))
        .catch(() => undefined) // the list has what is not shown
  })
}
