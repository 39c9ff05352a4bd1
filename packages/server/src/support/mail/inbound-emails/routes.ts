import { typeId } from '../../../platform/kernel/ids.ts'
import { list, read, write } from '../../../platform/resource/resource.ts'
import { content, receives } from '../../../platform/resource/streams.ts'
import { deliverEmail, reprocessEmail } from './actions.ts'
import { InboundEmailFilters } from './filters.ts'
import { countInboundEmails, inboundEmailTable, listInboundEmails } from './queries.ts'
import { rawOf } from './raw.ts'
import { receiveEmail } from './receiving.ts'
import {
  EnvelopeQuery,
  inboundEmailExample,
  inboundEmailWire,
  maxEmailBytes,
  Reprocessing,
} from './schema.ts'

const path = '/inbound_emails'
const one = `${path}/{id}`
const params = { id: 'eml' }

const example = `From: Ada Lovelace <ada@example.net>\r
To: support@example.com\r
Subject: Card declined\r
Message-ID: <CAF1x2y3@mail.example.net>\r
Date: Fri, 20 Nov 2026 09:29:58 +0000\r
\r
My card was declined twice.\r
`

export const routes = [
  receives({
    path,
    name: 'createInboundEmail',
    summary: 'Deliver a mail',
    description:
      'Takes a mail as it came (RFC 5322), up to 25 MiB: from a mail server, or from the webhook of a provider. 202 once it is stored for good; it is processed within seconds. A mail with the same `Message-ID`, `From`, `Date`, `Subject` and body as an earlier one changes nothing but the `duplicate_count` of that one, which is returned with 200.',
    scope: 'inbound_emails:write',
    status: 202,
    query: EnvelopeQuery,
    bytes: { mediaType: 'message/rfc822', maxBytes: maxEmailBytes, example, receive: receiveEmail },
    reply: inboundEmailWire,
    location: ({ id }) => `${path}/${typeId('eml', id)}`,
    handle: (change, { query, body }) => deliverEmail(change, body, query),
  }),
  list({
    path,
    name: 'listInboundEmails',
    summary: 'List mails that arrived',
    description: 'Lists the mails that arrived, also those that were ignored or have failed.',
    scope: 'inbound_emails:read',
    query: InboundEmailFilters,
    item: inboundEmailWire,
    sorts: ['-created_at', 'created_at'],
    sortKey: ({ id }) => [id],
    handle: ({ db, env }, { query, page }) => listInboundEmails(db, env.tenantId, query, page),
    count: ({ db, env }, { query }, atMost) => countInboundEmails(db, env.tenantId, query, atMost),
  }),
  read({
    path: one,
    name: 'getInboundEmail',
    summary: 'Get a mail that arrived',
    description: 'Returns what is known about the mail. `GET /v1/inbound_emails/{id}/raw` returns its bytes.',
    scope: 'inbound_emails:read',
    params,
    reply: inboundEmailWire,
    handle: ({ db, env }, { params }) => inboundEmailTable.find(db, env.tenantId, params.id),
  }),
  content({
    path: `${one}/raw`,
    name: 'getInboundEmailRaw',
    summary: 'Get a mail as it came',
    description:
      'Returns the bytes of the mail. They are kept as long as the message that it became, and for 90 days without one; 404 afterwards.',
    scope: 'inbound_emails:read',
    params,
    handle: async (ctx, { params }) => {
      const email = await inboundEmailTable.find(ctx.db, ctx.env.tenantId, params.id)
      return email && rawOf(ctx, email)
    },
  }),
  write({
    method: 'POST',
    path: `${one}/reprocess`,
    name: 'reprocessInboundEmail',
    summary: 'Process a mail again',
    description:
      'Processes a mail that was ignored or has failed once more, by the mailboxes and rules of now. 409 `invalid_transition` for others, and once the bytes of the mail are removed.',
    scope: 'inbound_emails:write',
    status: 202,
    params,
    errors: ['invalid_transition'],
    body: Reprocessing,
    bodyOptional: true,
    bodyExample: { mailbox_id: 'mbx_01kah1vgm0e1tbm5ye8n2m9q7c' },
    reply: inboundEmailWire,
    replyExample: {
      ...inboundEmailExample,
      status: 'received',
      conversation_id: null,
      message_id: null,
      end_user_id: null,
      version: 3,
    },
    handle: (change, { params, body }) => reprocessEmail(change, params.id, body.mailbox_id),
  }),
]
