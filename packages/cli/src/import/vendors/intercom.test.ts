import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  byId,
  type FetchGiven,
  fetchInto,
  filesOf,
  type Recorded,
  serve,
  temporaryFolder,
} from '../recorded.test-fixtures.ts'
import { intercom } from './intercom.ts'

/* Responses as in Intercom's reference: lists with `starting_after`, conversations one by one with their parts. */

const at = (minute: number) => Date.UTC(2024, 0, 5, 9, minute) / 1000
const iso = (minute: number) => new Date(at(minute) * 1000).toISOString()
const user = { type: 'user', id: 'c1', name: 'Carl', email: 'carl@example.com' }
const admin = { type: 'admin', id: '1', name: 'Ada', email: 'ada@acme.test' }

const part = (id: number, part_type: string, more: object = {}) => ({
  type: 'conversation_part',
  id: String(id),
  part_type,
  body: `<p>Part ${id}</p>`,
  created_at: at(id % 60),
  author: user,
  attachments: [],
  redacted: false,
  ...more,
})

const conversation = (id: number, parts: Recorded[] = [], more: object = {}) => ({
  type: 'conversation',
  id: String(id),
  created_at: at(0),
  updated_at: at(30),
  title: null,
  state: 'open',
  priority: 'not_priority',
  admin_assignee_id: 1,
  team_assignee_id: '9',
  source: {
    type: 'conversation',
    id: '77',
    delivered_as: 'customer_initiated',
    subject: '<p>Help &amp; more</p>',
    body: '<p>First</p>',
    author: user,
    attachments: [],
    redacted: false,
  },
  contacts: { type: 'contact.list', contacts: [{ type: 'contact', id: 'c1' }] },
  tags: { type: 'tag.list', tags: [{ id: '3', name: 'VIP' }] },
  statistics: { first_admin_reply_at: at(4), last_close_at: at(20) },
  conversation_parts: {
    type: 'conversation_part.list',
    conversation_parts: parts,
    total_count: parts.length,
  },
  ...more,
})

async function account(t: TestContext, conversations: Recorded[], perPage = 2) {
  const scrolled = new Set<string>()
  const server = await serve(t, ({ path, query, headers }) => {
    assert.ok(headers['intercom-version'])
    const paged = (name: string, items: Recorded[]) => {
      const from = Number(query.get('starting_after') ?? 0)
      const next = from + perPage < items.length ? { page: 2, starting_after: String(from + perPage) } : null
      return {
        body: { type: 'list', [name]: items.slice(from, from + perPage), pages: { type: 'pages', next } },
      }
    }
    const [, id] = /^\/conversations\/(\d+)$/.exec(path) ?? []
    if (id) return { body: conversations.find((each) => each.id === id) }
    switch (path) {
      case '/admins':
        return { body: { type: 'admin.list', admins: [{ id: '1', name: 'Ada', email: 'ada@acme.test' }] } }
      case '/teams':
        return { body: { type: 'team.list', teams: [{ id: '9', name: 'Billing' }] } }
      case '/tags':
        return { body: { type: 'list', data: [{ id: '3', name: 'VIP' }] } }
      case '/companies/scroll': {
        const scroll = query.get('scroll_param') ?? 'begin'
        const isFirst = !scrolled.delete(scroll)
        scrolled.add('next')
        const data = isFirst
          ? [{ id: 'co1', company_id: 'acme', name: 'Acme', website: 'https://www.acme.test/x' }]
          : []
        return { body: { type: 'list', data, scroll_param: 'next' } }
      }
      case '/contacts':
        return paged('data', [
          {
            id: 'c1',
            role: 'user',
            external_id: 'user_42',
            name: 'Carl',
            email: 'carl@example.com',
            created_at: at(0),
            companies: { data: [{ id: 'co1' }] },
            custom_attributes: { plan: 'pro', score: 7 },
          },
          { id: 'c2', role: 'lead', external_id: null, name: null, email: null, created_at: at(0) },
          { id: 'c3', role: 'lead', external_id: null, name: 'Eva', email: null, created_at: at(0) },
        ])
      case '/conversations':
        return paged(
          'conversations',
          conversations.map(({ id, updated_at }) => ({ id, updated_at })),
        )
      default:
        return null
    }
  })
  const folder = temporaryFolder(t)
  const fetch = (more: Partial<FetchGiven> = {}) =>
    fetchInto(intercom, { folder, base: server.url, headers: { 'intercom-version': '2.11' }, ...more })
  return { ...server, folder, fetch }
}

describe('a fetch from Intercom', () => {
  test('takes admins, teams, tags, companies and contacts from all pages', async (t) => {
    const { lines } = await (await account(t, [])).fetch()
    assert.deepEqual(
      lines.map(({ type, external_id }) => `${type} ${external_id}`),
      [
        'operator 1',
        'department 9',
        'tag 3',
        'company intercom:co1',
        ...['c1', 'c2', 'c3'].map((id) => `end_user intercom:${id}`),
      ],
    )
    assert.deepEqual(byId(lines, 'company')['intercom:co1'].domains, ['acme.test'])
    assert.deepEqual(byId(lines, 'end_user')['intercom:c1'], {
      type: 'end_user',
      external_id: 'intercom:c1',
      name: 'Carl',
      emails: [{ address: 'carl@example.com', verified: false }],
      company_external_ids: ['intercom:co1'],
      metadata: {
        intercom_id: 'c1',
        intercom_external_id: 'user_42',
        intercom_role: 'user',
        intercom_plan: 'pro',
        intercom_score: '7',
      },
      created_at: iso(0),
    })
  })

  test('makes the source the first message, and leaves out events on purpose', async (t) => {
    const parts = [
      part(2, 'comment', { author: admin }),
      part(3, 'assignment', { body: null }),
      part(4, 'note', { author: admin }),
      part(5, 'comment', { author: { type: 'bot', id: '8' } }),
      part(6, 'close', { author: admin, body: '<p>Bye</p>' }),
      part(7, 'comment', { redacted: true }),
      part(8, 'assignment', { body: '<p>Please look</p>' }),
    ]
    const { lines, losses } = await (await account(t, [conversation(1, parts, { state: 'closed' })])).fetch()
    const messages = lines.filter(({ type }) => type === 'message')
    assert.deepEqual(
      messages.map(({ external_id, author_side, visibility, body }) => [
        external_id,
        author_side,
        visibility,
        body,
      ]),
      [
        ['intercom:source:1', 'end_user', 'public', 'First'],
        ['intercom:part:2', 'operator', 'public', 'Part 2'],
        ['intercom:part:4', 'operator', 'internal', 'Part 4'],
        ['intercom:part:5', 'system', 'public', 'Part 5'],
        ['intercom:part:6', 'operator', 'public', 'Bye'],
      ],
    )
    const { subject, status, resolved_at, first_response_at, tags, department_external_id } = byId(
      lines,
      'conversation',
    )['intercom:1']
    assert.deepEqual(
      [subject, status, resolved_at, first_response_at, tags, department_external_id],
      ['Help & more', 'resolved', iso(20), iso(4), ['VIP'], '9'],
    )
    assert.deepEqual(
      losses.map(({ reason, source_id }) => [reason, source_id]),
      [
        ['field_unmapped', 'intercom:part:8'],
        ['deleted', 'intercom:part:7'],
      ],
    )
  })

  test('reports a conversation of which Intercom returns the newest 500 parts alone', async (t) => {
    const parts = Array.from({ length: 500 }, (_, i) => part(1000 + i, 'comment'))
    const long = conversation(1, parts, {
      conversation_parts: { conversation_parts: parts, total_count: 731 },
    })
    const { lines, losses } = await (await account(t, [long])).fetch()
    assert.equal(lines.filter(({ type }) => type === 'message').length, 501)
    assert.deepEqual(losses, [
      {
        source_type: 'conversation',
        source_id: 'intercom:1',
        reason: 'truncated',
        detail: '731 parts; Intercom returns the newest 500',
      },
    ])
  })

  test('reads conversations again that have changed, and no others', async (t) => {
    const conversations = [conversation(1), conversation(2), conversation(3)]
    const { fetch, requests } = await account(t, conversations)
    const before = (await fetch()).lines.length
    conversations[1] = conversation(2, [part(5, 'comment', { author: admin })], { updated_at: at(40) })
    requests.length = 0
    const { lines } = await fetch()
    assert.deepEqual(
      lines.slice(before).map(({ external_id }) => external_id),
      ['intercom:2', 'intercom:part:5'],
    )
    assert.deepEqual(
      requests.filter((each) => /\/conversations\/\d/.test(each)),
      ['GET /conversations/2'],
    )
  })

  test('that is stopped anywhere and started again leaves the same lines', async (t) => {
    const conversations = [1, 2, 3].map((id) => conversation(id, [part(id * 10, 'comment')]))
    const undisturbed = await account(t, conversations)
    await undisturbed.fetch()
    const expected = filesOf(undisturbed.folder)['lines.ndjson']
    const total = undisturbed.requests.length
    for (let count = 1; count < total; count++) {
      const { fetch, folder, requests } = await account(t, conversations)
      const stopping = new AbortController()
      const { push } = requests
      requests.push = (...items) => {
        if (requests.length + 1 === count) stopping.abort()
        return push.apply(requests, items)
      }
      await assert.rejects(fetch({ signal: stopping.signal }), { code: 'cancelled' })
      await fetch()
      assert.deepEqual(filesOf(folder)['lines.ndjson'], expected, `stopped at request ${count}`)
    }
  })
})
