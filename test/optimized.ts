import { filesOf, runTogether } from './groups.ts'

/* The suites that optimizations affect, for optimizations.system.test.ts. */

const server = 'packages/server/src'

await runTogether(
  filesOf([
    'test/contract/idempotency-keys.test.ts',
    `${server}/support/desk/conversations/finding/{finding,matching,paging}.test.ts`,
    `${server}/support/desk/conversations/routing/concurrency.test.ts`,
    `${server}/support/desk/messages/messages.test.ts`,
    `${server}/support/integration/events/feed.test.ts`,
    'test/guards.test.ts',
  ]),
)
