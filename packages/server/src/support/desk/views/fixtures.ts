import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  fillers: { listViewItems: 'createConversation', countViewItems: 'createView' },
  ofOthers: { listViewItems: ['email', 'phone', 'company_id'] },
}
