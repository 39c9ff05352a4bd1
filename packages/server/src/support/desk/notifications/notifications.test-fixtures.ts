import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

const own = { acts: true } as const

export const fixtures: RouteFixtures = {
  preparations: {
    listNotifications: own,
    countUnreadNotifications: own,
    getNotification: own,
    readNotification: own,
    unreadNotification: own,
    readAllNotifications: own,
    getNotificationPreferences: own,
    updateNotificationPreferences: own,
  },
  eventless: ['readNotification', 'unreadNotification', 'readAllNotifications'],
}
