import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  eventless: ['readNotification', 'unreadNotification', 'readAllNotifications'],
}
