import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  fillers: { listViewItems: 'createConversation', countViewItems: 'createView' },
  ofOthers: { listViewItems: ['email', 'phone', 'company_id'] },
}
