import type { RouteFixtures } from '@backline/test/contract/route-fixtures.ts'

export const fixtures: RouteFixtures = {
  preparations: {
    listHolds: { after: ['holdConversation', 'holdConversation', 'holdConversation'] },
    claimNextConversation: { after: ['createConversation'] },
    removeParticipant: { after: ['addParticipant'] },
    removeFollower: { after: ['addFollower'] },
    reopenConversation: { after: ['resolveConversation'] },
    resumeConversation: { after: ['holdConversation'] },
    markConversationRead: { after: ['createMessage', 'createMessage', 'createMessage'] },
  },
  fillers: {
    listFollowers: 'addFollower',
    listHolds: null, // a further period ends the one before
    listTimeline: 'createMessage',
    listTransitions: null,
  },
}
