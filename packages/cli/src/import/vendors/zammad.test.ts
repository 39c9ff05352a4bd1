import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { zammad } from './zammad.ts'

/* Responses as Zammad's controllers render them with `expand`: pages without totals. */

const at = (minute: number) => new Date(Date.UTC(2024, 0, 5, 9, minute)).toISOString()

const ticket = (id: number, more: object = {}) => ({
  id,
  number: `310${id}`,
  title: `Ticket ${id}`,
  group_id: 2,
  group: 'Billing',
  state_id: 2,
  state: 'offen',
  priority: '3 high',
  customer_id: 40,
  owner_id: 3,
  organization_id: 7,
  create_article_type: 'email',
  note: null,
  close_at: null,
  first_response_at: at(4),
  created_at: at(0),
  updated_at: at(30),
  ...more,
})

const article = (id: number, ticket_id: number, more: object = {}) => ({
  id,
  ticket_id,
  type: 'email',
  sender: 'Customer',
  content_type: 'text/html',
  body: `<div>Article ${id}</div>`,
  internal: false,
  origin_by_id: null,
  created_by_id: 40,
  created_at: at(id),
  attachments: [],
  ...more,
})

const states = ['new', 'open', 'pending reminder', 'closed', 'merged'].map((state_type, i) => ({
  id: i + 1,
  name: i === 1 ? 'offen' : state_type,
  state_type,
}))

const users = [
  { id: 1, firstname: '-', lastname: '', roles: [] },
  {
    id: 3,
    firstname: 'Ada',
    lastname: 'Admin',
    email: 'ada@acme.test',
    roles: ['Admin', 'Agent'],
    active: true,
  },
  {
    id: 40,
    firstname: 'Carl',
    lastname: '',
    email: 'carl@example.com',
    roles: ['Customer'],
    active: true,
    organization_id: 7,
    created_at: at(0),
  },
]

/** Pages of `size`, of which some are short: objects that the token must not see are left out. */
async function account(
  t: TestContext,
  tickets: Recorded[],
  articles: Record<number, Recorded[]>,
  links: Recorded = {},
) {
  const lists: Record<string, Recorded[][]> = {
    ticket_states: [states],
    groups: [[{ id: 2, name: 'Billing', active: true }]],
    organizations: [[{ id: 7, name: 'Example', domain: 'example.com' }]],
    users: [users.slice(0, 2), users.slice(2)],
    tickets: [tickets.slice(0, 2), tickets.slice(2, 3), tickets.slice(3)].filter((page) => page.length > 0),
  }
  const server = await serve(t, ({ path, query, headers }) => {
    if (headers.authorization !== 'Token token=x')
      return { status: 401, body: { error: 'Authentication required' } }
    const [, name, id] = /^\/api\/v1\/(\w+)(?:\/by_ticket\/(\d+))?$/.exec(path) ?? []
    if (name === 'ticket_articles')
      return { body: articles[Number(id)] ?? [article(Number(id) * 10, Number(id))] }
    if (name === 'tags') return { body: { tags: ['vip'] } }
    if (name === 'links') return { body: { links: links[query.get('link_object_value')!] ?? [] } }
    if (path.startsWith('/api/v1/ticket_attachment/')) return { body: `bytes of ${path.split('/').at(-1)}` }
    const list = lists[name!]
    return list ? { body: list[Number(query.get('page')) - 1] ?? [] } : null
  })
  const folder = temporaryFolder(t)
  const fetch = (more: Partial<FetchGiven> = {}) =>
    fetchInto(zammad, { folder, base: server.url, headers: { authorization: 'Token token=x' }, ...more })
  return { ...server, folder, fetch }
}

describe('a fetch from Zammad', () => {
  test('goes on to an empty page, past short ones', async (t) => {
    const { fetch, requests } = await account(
      t,
      [1, 2, 3, 4].map((id) => ticket(id)),
      {},
    )
    const { lines } = await fetch()
    assert.deepEqual(
      Object.keys(byId(lines, 'conversation')),
      ['1', '2', '3', '4'].map((id) => `zammad:${id}`),
    )
    assert.deepEqual(
      requests.filter((each) => each.includes('/users?')).map((each) => /[?&]page=(\d)/.exec(each)![1]),
      ['1', '2', '3'],
    )
    assert.deepEqual(Object.keys(byId(lines, 'operator')), ['3'])
    assert.deepEqual(Object.keys(byId(lines, 'end_user')), ['zammad:40'])
  })

  test('maps states by their type, and the sides of articles', async (t) => {
    const tickets = [
      ticket(1),
      ticket(2, { state_id: 4, close_at: at(20), owner_id: 1 }),
      ticket(3, { state_id: 3 }),
    ]
    const articles = {
      1: [
        article(1, 1),
        article(2, 1, {
          sender: 'Agent',
          created_by_id: 3,
          internal: true,
          content_type: 'text/plain',
          body: 'a *note*',
        }),
        article(3, 1, { sender: 'System', created_by_id: 1 }),
        article(4, 1, { created_by_id: 3, origin_by_id: null }),
      ],
    }
    const { lines } = await (await account(t, tickets, articles)).fetch()
    const conversations = byId(lines, 'conversation')
    assert.deepEqual(
      ['1', '2', '3'].map((id) => conversations[`zammad:${id}`].status),
      ['open', 'closed', 'pending'],
    )
    const { assignee_external_id, closed_at } = conversations['zammad:2']
    assert.deepEqual([assignee_external_id, closed_at], [undefined, at(20)])
    assert.deepEqual([conversations['zammad:1'].priority, conversations['zammad:1'].tags], ['high', ['vip']])
    const messages = lines.filter(({ conversation_external_id: id }) => id === 'zammad:1')
    assert.deepEqual(
      messages.map(({ author_side, visibility, body_format, body, author_end_user_external_id: user }) => [
        author_side,
        visibility,
        body_format,
        body,
        user,
      ]),
      [
        ['end_user', 'public', 'markdown', 'Article 1', 'zammad:40'],
        ['operator', 'internal', 'text', 'a *note*', undefined],
        ['system', 'public', 'markdown', 'Article 3', undefined],
        ['end_user', 'public', 'markdown', 'Article 4', 'zammad:40'],
      ],
    )
  })

  test('writes merged tickets after those into which they were merged', async (t) => {
    const tickets = [ticket(1, { state_id: 5 }), ticket(2), ticket(3, { state_id: 5 })]
    const to = (link_object_value: number) => [
      { link_type: 'child', link_object: 'Ticket', link_object_value },
    ]
    const { lines, losses } = await (await account(t, tickets, {}, { 1: to(2), 3: to(99) })).fetch()
    const conversations = byId(lines, 'conversation')
    assert.deepEqual(Object.keys(conversations), ['zammad:2', 'zammad:1', 'zammad:3'])
    assert.deepEqual(
      ['1', '3'].map((id) => conversations[`zammad:${id}`].merged_into_external_id),
      ['zammad:2', undefined],
    )
    assert.deepEqual(
      losses.map(({ reason, detail }) => [reason, detail]),
      [['reference_missing', 'conversation zammad:99 is not in the copy']],
    )
  })

  test('fetches files, and images by their address and by their Content-ID', async (t) => {
    const body = '<p><img src="/api/v1/ticket_attachment/1/5/61"> <img src="cid:a@b"></p>'
    const attachments = [
      { id: 62, filename: 'cid.png', preferences: { 'Content-ID': '<a@b>', 'Mime-Type': 'image/png' } },
      { id: 63, filename: 'bill.pdf', preferences: { 'Content-Type': 'application/pdf' } },
      { id: 64, filename: 'message.html', preferences: { 'original-format': true } },
    ]
    const { fetch, folder } = await account(t, [ticket(1)], { 1: [article(5, 1, { body, attachments })] })
    const message = byId((await fetch()).lines, 'message')['zammad:article:5']
    const shown = message.attachments.map(({ path, filename, disposition }: Recorded) => [
      filename,
      disposition,
      readFileSync(join(folder, path), 'utf8'),
    ])
    assert.deepEqual(shown, [
      ['cid.png', 'inline', 'bytes of 62'],
      ['bill.pdf', 'attachment', 'bytes of 63'],
      ['61', 'inline', 'bytes of 61'],
    ])
    const [cid, , linked] = message.attachments
    assert.equal(message.body, `![](file:${linked.path}) ![](file:${cid.path})`)
  })

  test('that is stopped anywhere and started again leaves the same folder', async (t) => {
    const tickets = [1, 2, 3, 4].map((id) => ticket(id, id === 2 ? { state_id: 5 } : {}))
    const own = await account(
      t,
      tickets,
      {},
      { 2: [{ link_type: 'child', link_object: 'Ticket', link_object_value: 3 }] },
    )
    await own.fetch()
    const [expected, total] = [filesOf(own.folder), own.requests.length]
    const { push } = own.requests
    for (let count = 1; count <= total; count++) {
      const folder = temporaryFolder(t)
      const stopping = new AbortController()
      own.requests.length = 0
      own.requests.push = (...items) => {
        if (own.requests.length + 1 === count) stopping.abort()
        return push.apply(own.requests, items)
      }
      await assert.rejects(own.fetch({ folder, signal: stopping.signal }), { code: 'cancelled' })
      await own.fetch({ folder })
      assert.deepEqual(filesOf(folder), expected, `stopped at request ${count}`)
    }
  })
})
