import { storedChoice } from '../browser/stored-choice.ts'

/* How notifications appear outside of the page. Each browser stores this for itself. */

export const useDesktop = storedChoice<'off' | 'on'>('backline.desktop', ['off', 'on'])
export const useSound = storedChoice<'off' | 'on'>('backline.sound', ['off', 'on'])

/** Null where the browser has no notifications, as in pages by plain http:// from another machine. */
export const permission = (): NotificationPermission | null =>
  'Notification' in globalThis && isSecureContext ? Notification.permission : null

export const showsOnDesktop = (): boolean => useDesktop.read() === 'on' && permission() === 'granted'
