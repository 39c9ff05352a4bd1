import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { reorderSlaConfigs: { after: ['createSlaConfig'] } }, // the named configs then come before it
  eventless: ['previewSchedule', 'simulateSlaConfig'],
}
