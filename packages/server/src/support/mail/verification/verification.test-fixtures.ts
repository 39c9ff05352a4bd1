import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

// The relay of the example does not exist: the test mail fails, and changes nothing.
export const fixtures: RouteFixtures = {
  eventless: ['verifyMailbox'],
  answersAnother: ['verifyMailbox'],
}
