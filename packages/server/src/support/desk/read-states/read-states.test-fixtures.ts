import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

const marking = { after: ['createMessage', 'createMessage', 'createMessage'] }

export const fixtures: RouteFixtures = {
  preparations: { markReadForMe: marking, markUnreadForMe: marking },
  eventless: ['markReadForMe', 'markUnreadForMe'],
}
