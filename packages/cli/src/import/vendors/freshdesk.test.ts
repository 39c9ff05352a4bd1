import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  byId,
  type FetchGiven,
  fetchInto,
  type Recorded,
  serve,
  temporaryFolder,
} from '../recorded.test-fixtures.ts'
import type { Source } from '../source.ts'
import { freshdesk, freshdeskStages } from './freshdesk.ts'

/* Responses as in Freshdesk's reference: lists in pages, tickets in 300 pages at most. */

const at = (second: number) => new Date(Date.UTC(2024, 0, 5, 9, 0, second)).toISOString().replace('.000', '')
const iso = (second: number) => new Date(at(second)).toISOString()
const mostPages = 300

const ticket = (id: number, more: object = {}) => ({
  id,
  subject: `Ticket ${id}`,
  status: 2,
  priority: 3,
  source: 1,
  type: 'Question',
  requester_id: 40,
  responder_id: 1,
  group_id: 2,
  company_id: 7,
  description: `<div>Ticket <b>${id}</b></div>`,
  description_text: `Ticket ${id}`,
  tags: ['vip'],
  custom_fields: { cf_order: 'A-17', cf_empty: null },
  attachments: [],
  stats: { resolved_at: null, closed_at: null, first_responded_at: at(4) },
  requester: { id: 40, name: 'Carl', email: 'carl@example.com' },
  spam: false,
  created_at: at(0),
  updated_at: at(id),
  ...more,
})

const reply = (id: number, more: object = {}) => ({
  id,
  body: `<div>Reply ${id}</div>`,
  body_text: `Reply ${id}`,
  incoming: false,
  private: false,
  user_id: 1,
  attachments: [],
  created_at: at(id),
  ...more,
})

/** @param size the length of pages, so that few tickets fill 300 of them */
async function account(
  t: TestContext,
  tickets: Recorded[],
  replies: Record<number, Recorded[]> = {},
  size = 100,
) {
  const server = await serve(t, ({ path, query, headers }) => {
    if (headers.authorization !== 'Basic x') return { status: 401, body: { code: 'invalid_credentials' } }
    const page = Number(query.get('page') ?? 1)
    const perPage = Number(query.get('per_page') ?? 30)
    const paged = (items: Recorded[]) => ({ body: items.slice((page - 1) * perPage, page * perPage) })
    const [, id, below] = /^\/api\/v2\/tickets\/(\d+)(\/conversations)?$/.exec(path) ?? []
    if (below) return paged(replies[Number(id)] ?? [])
    if (id) return { body: tickets.find((each) => each.id === Number(id)) }
    switch (path) {
      case '/api/v2/tickets': {
        if (page > mostPages)
          return { status: 400, body: { description: 'You have exceeded the page limit' } }
        const since = Date.parse(query.get('updated_since')!)
        const changed = tickets.filter((each) => Date.parse(each.updated_at) >= since)
        const { description: _, attachments: __, ...listed } = {} as Recorded
        return paged(
          changed.map((each) => ({ ...each, ...listed, description: undefined, attachments: undefined })),
        )
      }
      case '/api/v2/ticket_fields':
        return { body: [{ name: 'cf_order', label: 'Order' }] }
      case '/api/v2/groups':
        return paged([{ id: 2, name: 'Billing' }])
      case '/api/v2/agents':
        return paged([{ id: 1, contact: { name: 'Ada', email: 'ada@acme.test', active: true } }])
      case '/api/v2/companies':
        return paged([{ id: 7, name: 'Example', domains: ['example.com'], custom_fields: { tier: 'gold' } }])
      case '/api/v2/contacts':
        return paged([
          {
            id: 41,
            name: 'Dora',
            email: 'dora@example.com',
            other_emails: ['d@example.com'],
            mobile: '+49301',
            company_id: 7,
            unique_external_id: 'user_41',
            created_at: at(0),
          },
        ])
      default:
        return null
    }
  })
  const source: Source = { ...freshdesk, stages: (walk) => freshdeskStages(walk, size) }
  const folder = temporaryFolder(t)
  const fetch = (more: Partial<FetchGiven> = {}) =>
    fetchInto(source, { folder, base: server.url, headers: { authorization: 'Basic x' }, ...more })
  return { ...server, folder, fetch }
}

describe('a fetch from Freshdesk', () => {
  test('takes people, and requesters that the list of contacts lacks', async (t) => {
    const { lines } = await (await account(t, [ticket(1)])).fetch()
    const people = byId(lines, 'end_user')
    assert.deepEqual(Object.keys(people), ['freshdesk:41', 'freshdesk:40'])
    assert.deepEqual(people['freshdesk:41'].emails, [
      { address: 'dora@example.com', verified: false },
      { address: 'd@example.com', verified: false },
    ])
    assert.equal(byId(lines, 'company')['freshdesk:7'].metadata.freshdesk_tier, 'gold')
  })

  test('makes the description the first message, and maps status, notes and fields', async (t) => {
    const solved = ticket(1, { status: 4, stats: { resolved_at: at(20), first_responded_at: at(4) } })
    const replies = { 1: [reply(2), reply(3, { incoming: true, user_id: 40 }), reply(4, { private: true })] }
    const { lines } = await (await account(t, [solved, ticket(2, { status: 7 })], replies)).fetch()
    const conversation = byId(lines, 'conversation')['freshdesk:1']
    assert.deepEqual(conversation, {
      type: 'conversation',
      external_id: 'freshdesk:1',
      end_user_external_id: 'freshdesk:40',
      subject: 'Ticket 1',
      status: 'resolved',
      initiated_by_side: 'end_user',
      channel: 'email',
      priority: 'high',
      department_external_id: '2',
      assignee_external_id: '1',
      company_external_id: 'freshdesk:7',
      tags: ['vip'],
      metadata: { freshdesk_type: 'Question', freshdesk_Order: 'A-17' },
      created_at: iso(0),
      updated_at: iso(1),
      resolved_at: iso(20),
      first_response_at: iso(4),
    })
    const other = byId(lines, 'conversation')['freshdesk:2']
    assert.deepEqual([other.status, other.metadata.freshdesk_status], ['pending', '7'])
    assert.deepEqual(
      lines
        .filter(({ conversation_external_id: id }) => id === 'freshdesk:1')
        .map(({ external_id, author_side, visibility, body }) => [
          external_id,
          author_side,
          visibility,
          body,
        ]),
      [
        ['freshdesk:description:1', 'end_user', 'public', 'Ticket **1**'],
        ['freshdesk:reply:2', 'operator', 'public', 'Reply 2'],
        ['freshdesk:reply:3', 'end_user', 'public', 'Reply 3'],
        ['freshdesk:reply:4', 'operator', 'internal', 'Reply 4'],
      ],
    )
  })

  test('does not repeat the first message of a chat', async (t) => {
    const chat = ticket(1, { source: 15 })
    const { lines } = await (
      await account(t, [chat], { 1: [reply(2, { incoming: true, user_id: 40 })] })
    ).fetch()
    assert.deepEqual(Object.keys(byId(lines, 'message')), ['freshdesk:reply:2'])
  })

  test('takes more tickets than 300 pages have, none twice, and those that changed in one second', async (t) => {
    // Two tickets a page; a dozen changed in the same second.
    const tickets = Array.from({ length: 620 }, (_, i) => ticket(i + 1))
    for (const each of tickets.slice(300, 312)) each.updated_at = at(301)
    const { fetch, requests } = await account(t, tickets, {}, 2)
    const { lines, losses } = await fetch()
    assert.deepEqual(
      lines.filter(({ type }) => type === 'conversation').map(({ external_id }) => external_id),
      tickets.map(({ id }) => `freshdesk:${id}`),
    )
    assert.deepEqual(losses, [])
    assert.equal(requests.filter((each) => /^GET .api.v2.tickets.\d+\?/.test(each)).length, tickets.length)
  })

  test('reports what is beyond 300 pages of tickets that changed in one second, and goes on', async (t) => {
    const tickets = Array.from({ length: 310 }, (_, i) => ticket(i + 1, { updated_at: at(1) }))
    tickets.push(ticket(400))
    const { lines, losses } = await (await account(t, tickets, {}, 1)).fetch()
    const conversations = Object.keys(byId(lines, 'conversation'))
    assert.deepEqual([conversations.length, conversations.at(-1)], [301, 'freshdesk:400'])
    assert.deepEqual(
      losses.map(({ reason, detail }) => [reason, detail]),
      [['truncated', `more than 300 tickets changed at ${at(1)}`]],
    )
  })

  test('misses no ticket while others change', async (t) => {
    const tickets = Array.from({ length: 9 }, (_, i) => ticket((i + 1) * 10))
    const own = await account(t, tickets, {}, 3)
    const { push } = own.requests
    own.requests.push = (...items) => {
      // As soon as the first page is read, its first ticket changes and moves to the end.
      if (items[0]!.startsWith('GET /api/v2/tickets/30?')) {
        const first = tickets.shift()!
        tickets.push({ ...first, updated_at: at(200) })
      }
      return push.apply(own.requests, items)
    }
    const { lines } = await own.fetch()
    assert.equal(Object.keys(byId(lines, 'conversation')).length, 9)
  })

  test('after a complete one begins at the last change', async (t) => {
    const tickets = [ticket(1), ticket(2)]
    const { fetch, requests } = await account(t, tickets)
    const before = (await fetch()).lines.length
    tickets.push(ticket(3))
    requests.length = 0
    const { lines } = await fetch()
    assert.deepEqual(
      lines.slice(before).map(({ external_id }) => external_id),
      ['freshdesk:3', 'freshdesk:description:3'],
    )
    assert.ok(!requests.some((each) => each.startsWith('GET /api/v2/tickets/1?')))
  })
})
