import type { Habits } from '../../platform/http/response/unknown-route.ts'

/** Names that other products have for routes of this one. */
export const habits: Habits = {
  paths: {
    '/messages': '/conversations/{id}/messages',
    '/kb': '/kb/articles',
  },
  segments: {
    agents: 'operators',
    canned_responses: 'message_templates',
    comments: 'messages',
    contacts: 'end_users',
    customers: 'end_users',
    groups: 'departments',
    notes: 'messages',
    reply: 'messages',
    snooze: 'hold',
    teams: 'departments',
    tickets: 'conversations',
    unhold: 'resume',
    unsnooze: 'resume',
    users: 'end_users',
  },
}
