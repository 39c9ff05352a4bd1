import { typeId, uuidOf } from '../../../platform/kernel/ids.ts'
import { list, read, remove, write } from '../../../platform/resource/resource.ts'
import {
  exchangeJwt,
  mintSession,
  renewSession,
  revokeSession,
  revokeSessionsOf,
  startAnonymousSession,
} from './actions.ts'
import { ofEndUser, sessionOrders, sessionTable } from './queries.ts'
import {
  Exchange,
  NewSession,
  SessionFilters,
  sessionExample,
  sessionWire,
  sessionWithTokenWire,
  Visitor,
} from './schema.ts'

const path = '/end_user_sessions'
const params = { id: 'eus' }
const location = ({ id }: { id: string }) => `${path}/${typeId('eus', id)}`

const conditionsOf = (tenantId: string, { end_user_id: id }: { end_user_id?: string }) =>
  id === undefined ? [] : [ofEndUser(tenantId, uuidOf('eu', id)!)]

/** The example of a response with another origin. */
const startedBy = (created_by: string, expires_at: string) => ({
  ...sessionExample,
  created_by,
  expires_at,
  token: sessionWithTokenWire.example && `bkl_eut_live_${'0'.repeat(50)}`,
})

export const routes = [
  write({
    method: 'POST',
    path,
    name: 'createEndUserSession',
    summary: 'Mint a session of an end user',
    description:
      'Your server calls this for somebody who has signed in to your application, and hands the token to the web page or app. The token is shown only once, in this response. 403 for a blocked end user.',
    scope: 'end_user_sessions:write',
    status: 201,
    errors: ['end_user_blocked', 'identity_conflict'],
    body: NewSession,
    bodyExample: { end_user_id: 'eu_01kah1vgm0e1tbm5ye8n2m9q7c', expires_in_seconds: 3_600 },
    reply: sessionWithTokenWire,
    storedReply: sessionWire,
    location,
    handle: (change, { body }) => mintSession(change, body),
  }),
  list({
    path,
    name: 'listEndUserSessions',
    summary: 'List sessions of end users',
    description: 'Lists sessions without their tokens, expired and revoked ones included.',
    scope: 'end_users:read',
    query: SessionFilters,
    item: sessionWire,
    sorts: ['-created_at'],
    sortKey: (row, sort) => sessionOrders[sort].key(row),
    handle: ({ db, env }, { query, page }) =>
      sessionTable.list(db, env.tenantId, conditionsOf(env.tenantId, query), sessionOrders[page.sort], page),
    count: ({ db, env }, { query }, atMost) =>
      sessionTable.count(db, env.tenantId, conditionsOf(env.tenantId, query), atMost),
  }),
  read({
    path: `${path}/{id}`,
    name: 'getEndUserSession',
    summary: 'Get a session of an end user',
    description: 'Returns a session without its token, also an expired or revoked one.',
    scope: 'end_users:read',
    params,
    reply: sessionWire,
    handle: (ctx, { params }) => sessionTable.find(ctx.db, ctx.env.tenantId, params.id),
  }),
  remove({
    path: `${path}/{id}`,
    name: 'revokeEndUserSession',
    summary: 'Revoke a session of an end user',
    description:
      'Takes effect within a second on all servers, and ends open streams. A revoked session can still be read and has `revoked_at`.',
    scope: 'end_user_sessions:write',
    changesAdmission: true,
    params,
    handle: (change, { params }) => revokeSession(change, params.id),
  }),
  remove({
    path: '/end_users/{id}/sessions',
    name: 'revokeEndUserSessions',
    summary: 'Revoke all sessions of an end user',
    description:
      'Takes effect within a second on all servers. Sessions of end users that were merged into this one are revoked too.',
    scope: 'end_user_sessions:write',
    changesAdmission: true,
    params: { id: 'eu' },
    handle: (change, { params }) => revokeSessionsOf(change, params.id),
  }),
  write({
    method: 'POST',
    path: `${path}/exchange`,
    name: 'exchangeEndUserSession',
    summary: 'Exchange a JWT for a session',
    description:
      'Verifies the JWT by an identity key and returns a session of the end user whose external id is `sub`; the end user is created if there is none, and becomes verified. The claims `name`, `email` with `email_verified`, `phone_number`, `locale`, `zoneinfo` and `picture` update it if they are there and valid. The token is shown only once, and replayed for the same JWT alone.',
    credential: 'publishable_key',
    limitedFor: 'sessions',
    changesAdmission: true, // the sessions of an adopted visitor end
    status: 201,
    errors: ['end_user_blocked'],
    body: Exchange,
    bodyExample: { jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyXzQyIiwiZXhwIjoxNzk1MTcwNjAwfQ.c2lnbmF0dXJl' },
    reply: sessionWithTokenWire,
    replyExample: startedBy('jwt', '2026-11-20T10:30:00.000Z'),
    storedReply: sessionWire,
    sealWith: ({ jwt }) => jwt,
    location,
    handle: (change, { body }) => exchangeJwt(change, body),
  }),
  write({
    method: 'POST',
    path: `${path}/anonymous`,
    name: 'startAnonymousEndUserSession',
    summary: 'Start a session of an anonymous visitor',
    description:
      'Creates an end user whom nobody knows, and its session for 24 hours. Name and address stay unverified. The token is shown only once: a replay shows the session without it.',
    credential: 'publishable_key',
    limitedFor: 'sessions',
    status: 201,
    body: Visitor,
    bodyOptional: true,
    bodyExample: { name: 'Grace', language: 'en' },
    reply: sessionWithTokenWire,
    replyExample: startedBy('anonymous', '2026-11-21T09:30:00.000Z'),
    storedReply: sessionWire,
    sealWith: () => null,
    location,
    handle: (change, { body }) => startAnonymousSession(change, body),
  }),
  write({
    method: 'POST',
    path: `${path}/renew`,
    name: 'renewEndUserSession',
    summary: 'Renew a session',
    description:
      'Returns the next session of the end user whose token is presented, with the same lifetime and conversation. The presented token stays valid for 60 seconds at most.',
    credential: 'end_user_token',
    status: 201,
    errors: ['end_user_blocked'],
    reply: sessionWithTokenWire,
    storedReply: sessionWire,
    location,
    handle: (change) => renewSession(change),
  }),
]
