import type { RouteFixtures } from '../../../platform/resource/fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: { reorderSlaConfigs: { after: ['createSlaConfig'] } }, // the named configs then come before it
  eventless: ['previewSchedule', 'simulateSlaConfig'],
}
