import { read, write } from '../../resource.ts'
import { advanceTestClock, readTestClock } from './actions.ts'
import { Advance, advancedClockWire, testClockWire } from './schema.ts'

export const routes = [
  read({
    path: '/test_clock',
    name: 'getTestClock',
    summary: 'Get the test clock',
    description: 'Test environments only; 404 with a live key.',
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
      'Answers once all work that fell due on the way has been done, in the order of its due times and stamped with them. Test environments only; 404 with a live key.',
    scope: 'workspace:write',
    testOnly: true,
    body: Advance,
    bodyExample: { seconds: 604_800 },
    reply: advancedClockWire,
    versionOf: null,
    handle: (change, { body }) => advanceTestClock(change, body),
  }),
]
