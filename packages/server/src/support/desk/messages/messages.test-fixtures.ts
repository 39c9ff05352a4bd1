import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

/** The clock of an environment can be days ahead of that of the server. */
const dayMs = 86_400_000

export const fixtures: RouteFixtures = {
  preparations: {
    deleteScheduledMessage: {
      with: {
        msg: (nowMs) => ({ author_side: 'operator', send_at: new Date(nowMs + 200 * dayMs).toISOString() }),
      },
    },
  },
  fillers: { listMessageRevisions: 'updateMessage' },
}
