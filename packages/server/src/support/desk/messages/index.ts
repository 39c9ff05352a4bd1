import { defineResource } from '../../../platform/resource/resource.ts'
import { messages } from './entity.ts'
import { routes } from './routes.ts'
import { onFile } from './scan-results.ts'
import { scheduledMessages } from './scheduled-entity.ts'
import { onConversation, sendScheduled } from './scheduling.ts'
import { messageExample } from './schema.ts'

const event = (verb: string, description: string, changed = {}) => ({
  type: `message.${verb}`,
  description,
  example: { ...messageExample, ...changed },
})

const createdDescription =
  'A message was added to a conversation. A scheduled one was sent, with the same id.'

/** The conversation of the second message. */
const changedConversation = {
  id: messageExample.conversation_id,
  message_count: 2,
  last_message_at: messageExample.created_at,
  last_message_side: 'end_user',
  unread_count: { end_user: 0, operator: 1 },
  updated_at: messageExample.created_at,
  version: 3,
}

const deliveryExample = {
  status: 'sent',
  recipients: [
    {
      address: 'ada@example.net',
      kind: 'to',
      status: 'sent',
      reason: null,
      smtp_code: '250',
      at: messageExample.updated_at,
    },
  ],
  attempts: 1,
  next_attempt_at: null,
}

const scheduledExample = {
  ...messageExample,
  author_side: 'operator',
  operator_id: 'op_01kah1vgm0e1tbm5ye8n2m9q7c',
  body: 'The bank has answered: the card works again.',
  body_html: 'The bank has answered: the card works again.',
  status: 'scheduled',
  sequence: null,
  send_at: '2026-11-21T08:00:00.000Z',
}

export default defineResource({
  name: 'messages',
  title: 'Messages',
  group: { title: 'Conversations', place: 12 },
  scopes: { family: 'messages', roles: { agent: 'write', lead: 'write' } },
  description: 'Public messages and internal notes of conversations.',
  routes,
  entities: [messages, scheduledMessages],
  reactions: [onConversation, onFile],
  jobs: [sendScheduled],
  events: [
    {
      ...event('created', createdDescription, { sequence: 2 }),
      related: { conversation: changedConversation },
    },
    event('updated', 'A message was edited, or the scan of one of its files has ended.', {
      edited_at: messageExample.updated_at,
    }),
    event('delivery_changed', 'Something has become of the mail of a message: its `delivery` changed.', {
      delivery: deliveryExample,
    }),
    event('redacted', 'A message was redacted.', {
      body: '',
      body_html: null,
      redacted_at: messageExample.updated_at,
    }),
    event('scheduled', 'A message was scheduled to be sent at `send_at`.', scheduledExample),
    event('schedule_cancelled', 'A scheduled message was cancelled.', { ...scheduledExample, version: 2 }),
    event('schedule_dropped', 'A scheduled message is not sent, because its conversation was closed.', {
      ...scheduledExample,
      version: 2,
    }),
  ],
})
