import type { ErrorCode } from '../../../platform/kernel/errors.ts'
import { type Route, write } from '../../../platform/resource/resource.ts'
import type { Members, TObject } from '../../../platform/resource/schema.ts'
import type { Change } from '../../../platform/unit-of-work/change.ts'
import { actOn } from './act-on.ts'
import { resolveConversation } from './actions.ts'
import { assignConversation, claimConversation } from './assign.ts'
import { conversations } from './entity.ts'
import { holdConversation } from './hold.ts'
import type { Action } from './lifecycle.ts'
import { mergeConversation } from './merge.ts'
import type { Conversation } from './queries.ts'
import { Assignment, Merge, NewHold, Resolution } from './request-schema.ts'
import { conversationExample, conversationWire } from './schema.ts'

type ActionRoute<Body extends TObject> = {
  needsPerson?: true
  summary: string
  description: string
  errors?: ErrorCode[]
  body?: Body
  bodyOptional?: boolean
  bodyExample?: Members<Body>
  /** The members of the response that differ from the usual example. */
  leadsTo: Partial<Record<keyof typeof conversationExample, unknown>>
  act(change: Change, conversation: Conversation, body: Members<Body>): Promise<Conversation>
}

const later = '2026-11-20T09:45:00.000Z'
const operatorId = 'op_01kah1vgm0e1tbm5ye8n2m9q7c'
const done = { waiting_on: null, waiting_since: null }
const assigned = (reason: string) => ({
  status: 'open',
  assignee_id: operatorId,
  assignment: { strategy: 'manual', reason, at: later },
})

/** `POST /v1/conversations/{id}/<name>` for an action of the state machine. */
const action = <Body extends TObject = TObject<Record<never, never>>>(
  name: Action,
  { leadsTo, act, errors = [], ...route }: ActionRoute<Body>,
): Route =>
  write({
    ...route,
    method: 'POST',
    path: `/conversations/{id}/${name}`,
    name: `${name}Conversation`,
    scope: 'conversations:write',
    params: { id: 'conv' },
    errors: ['invalid_transition', ...errors],
    reply: conversationWire,
    replyExample: { ...conversationExample, updated_at: later, version: 2, ...leadsTo },
    handle: async (change, { params, body }) =>
      act(change, await change.rows.load(conversations, params.id), body as Members<Body>),
  })

export const actionRoutes = [
  action('assign', {
    summary: 'Assign a conversation',
    description:
      'Assigns the conversation to an operator, a department or both; null unassigns it. Manual assignment ignores operator capacity. A new conversation becomes open once it has an assignee.',
    body: Assignment,
    bodyExample: { assignee_id: operatorId },
    leadsTo: assigned('Assigned by hand'),
    act: assignConversation,
  }),
  action('claim', {
    summary: 'Claim an unassigned conversation',
    description:
      'Assigns the conversation to the operator in `Backline-Operator`. If several operators claim it at once, exactly one succeeds. Changes nothing if it is assigned to that operator already.',
    needsPerson: true,
    errors: ['already_assigned'],
    leadsTo: assigned('Claimed by Ada'),
    act: claimConversation,
  }),
  action('hold', {
    summary: 'Put a conversation on hold',
    description:
      'The hold lasts until `until`, or for the default duration of the hold reason. When it expires, the `on_expiry` action of the hold reason is performed automatically. A conversation that is on hold starts another hold. A hold reason with a `follow_up` sends messages to the end user during the hold, which also requires the scope `messages:write`.',
    body: NewHold,
    bodyExample: { hold_reason_id: 'hold_01kah1vgm0e1tbm5ye8n2m9q7c', note: 'Waiting for the bank' },
    leadsTo: {
      status: 'on_hold',
      waiting_on: 'third_party',
      waiting_since: later,
      hold: {
        hold_reason_id: 'hold_01kah1vgm0e1tbm5ye8n2m9q7c',
        note: 'Waiting for the bank',
        since: later,
        until: '2026-11-21T09:45:00.000Z',
      },
    },
    act: holdConversation,
  }),
  action('resume', {
    summary: 'Take a conversation off hold',
    description:
      'The conversation becomes open and waits for an operator again; SLA clocks that the hold paused continue. A message from the end user does the same if the hold reason has `resumes_on_reply`.',
    leadsTo: { status: 'open', waiting_since: later, version: 3 },
    act: (change, conversation) => actOn(change, conversation, 'resume'),
  }),
  action('resolve', {
    summary: 'Resolve a conversation',
    description:
      'Ends the SLA clocks. The conversation is closed after the `auto_close_after_seconds` of the workspace, unless a message from the end user or `reopen` opens it again. The `note` becomes an internal note.',
    body: Resolution,
    bodyOptional: true,
    bodyExample: { note: 'Refunded the second charge; the customer confirmed.' },
    leadsTo: {
      ...done,
      status: 'resolved',
      resolved_at: later,
      message_count: 1,
      last_message_at: later,
      last_message_side: 'operator',
    },
    act: (change, conversation, body) => resolveConversation(change, conversation, body.note ?? null),
  }),
  action('reopen', {
    summary: 'Reopen a resolved conversation',
    description:
      'The conversation becomes open, keeps its assignee and is not closed automatically any more. Increases `reopened_count`. Closed conversations cannot be reopened: start a new one with `follow_up_of_id`.',
    leadsTo: { status: 'open', waiting_since: later, reopened_count: 1, version: 3 },
    act: (change, conversation) => actOn(change, conversation, 'reopen'),
  }),
  action('close', {
    summary: 'Close a conversation permanently',
    description:
      'Closing is final, whatever the status before. A closed conversation accepts only internal notes, metadata, tags and read marks.',
    leadsTo: { ...done, status: 'closed', closed_at: later },
    act: (change, conversation) => actOn(change, conversation, 'close'),
  }),
  action('merge', {
    summary: 'Merge a conversation into another',
    description:
      'Both conversations must be of the same end user. This one is closed permanently and keeps its messages. The message list of the other conversation also shows them with `include=merged`.',
    body: Merge,
    bodyExample: { into_id: 'conv_01kah1x2pje4x8ywz5v3k0t6ab' },
    leadsTo: {
      ...done,
      status: 'closed',
      closed_at: later,
      merged_into_id: 'conv_01kah1x2pje4x8ywz5v3k0t6ab',
    },
    act: (change, conversation, body) => mergeConversation(change, conversation, body.into_id),
  }),
]
