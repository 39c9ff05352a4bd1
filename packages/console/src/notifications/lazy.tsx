import { lazyModule } from '../app/lazy.tsx'
import { Loading } from '../design/States.tsx'

const pages = lazyModule(() => import('./pages.ts'), <Loading lines={6} />)

export const load = pages.load
export const NotificationList = pages((m) => m.NotificationList)
export const NotificationsPage = pages((m) => m.NotificationsPage)
export const PreferencesPage = pages((m) => m.PreferencesPage)
