export { NotificationList } from './NotificationList.tsx'
export { NotificationsPage } from './NotificationsPage.tsx'
export { PreferencesPage } from './PreferencesPage.tsx'
