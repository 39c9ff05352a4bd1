import { read, write } from '../../../platform/resource/resource.ts'
import { advanceTestClock, readTestClock } from './actions.ts'
import { Advance, advancedClockWire, testClockWire } from './schema.ts'

export const routes = [
  read({
    path: '/test_clock',
    name: 'getTestClock',
    summary: 'Get the test clock',
    description:
      'Returns the time of the test environment, by which all its timestamps, schedules and expirations go. Test environments only; 404 with a live key.',
    scope: 'workspace:read',
    testOnly: true,
    reply: testClockWire,
    versioned: false,
    handle: readTestClock,
  }),
  write({
    method: 'POST',
    path: '/test_clock/advance',
    name: 'advanceTestClock',
    summary: 'Advance the test clock',
    description:
      'Returns once all work that became due has been done, in order of its due times and with those times as timestamps. A request takes up to 30 seconds. With more to do, the clock stops on the way: all work due before `now` is done, and `remaining_seconds` is not 0. Test environments only; 404 with a live key.',
    scope: 'workspace:write',
    changesAdmission: true,
    testOnly: true,
    body: Advance,
    bodyExample: { seconds: 604_800 },
    reply: advancedClockWire,
    versionOf: null,
    handle: (change, { body }) => advanceTestClock(change, body),
  }),
]
