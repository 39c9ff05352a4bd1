import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import {
  type Answer,
  byId,
  type FetchGiven,
  fetchInto,
  type Recorded,
  serve,
  temporaryFolder,
} from '../recorded.test-fixtures.ts'
import { chatwoot } from './chatwoot.ts'

/* Responses as Chatwoot's views write them: pages without totals, the newest 20 messages before an id. */

const at = (minute: number) => Date.UTC(2024, 0, 5, 9, minute) / 1000
const iso = (minute: number) => new Date(at(minute) * 1000).toISOString()
const carl = { id: 40, type: 'contact', name: 'Carl' }
const ada = { id: 1, type: 'user', name: 'Ada', email: 'ada@acme.test' }

const message = (id: number, message_type: number, more: object = {}) => ({
  id,
  content: `Message ${id}`,
  message_type,
  content_type: 'text',
  content_attributes: {},
  created_at: at(id),
  private: false,
  sender: message_type === 0 ? carl : ada,
  ...more,
})

const conversation = (id: number, more: object = {}) => ({
  id,
  inbox_id: 3,
  status: 'open',
  labels: ['billing'],
  priority: 'medium',
  additional_attributes: { mail_subject: 'Invoice' },
  custom_attributes: { order: 'A-17' },
  created_at: at(0),
  last_activity_at: at(30),
  first_reply_created_at: at(4),
  meta: {
    sender: { id: 40, name: 'Carl' },
    channel: 'Channel::Email',
    assignee: { id: 1 },
    hmac_verified: false,
  },
  messages: [],
  ...more,
})

const [messagesPerPage, conversationsPerPage] = [20, 25]

async function account(
  t: TestContext,
  conversations: Recorded[],
  messages: Record<number, Recorded[]>,
  files: Record<string, Answer> = {},
) {
  const server = await serve(t, ({ path, query, headers }) => {
    if (path.startsWith('/rails/')) return files[path] ?? null
    if (headers.api_access_token !== 'secret') return { status: 401, body: { errors: ['Invalid token'] } }
    const page = Number(query.get('page') ?? 1)
    const [, id] = /\/conversations\/(\d+)\/messages$/.exec(path) ?? []
    if (id) {
      const before = Number(query.get('before') ?? Number.POSITIVE_INFINITY)
      const earlier = (messages[Number(id)] ?? []).filter((each) => each.id < before)
      return { body: { meta: { labels: [] }, payload: earlier.slice(-messagesPerPage) } }
    }
    switch (path.replace('/api/v1/accounts/9/', '')) {
      case 'agents':
        return { body: [{ ...ada, role: 'administrator' }] }
      case 'labels':
        return { body: { payload: [{ id: 2, title: 'billing', description: 'Money', color: '#ff0000' }] } }
      case 'inboxes':
        return { body: { payload: [{ id: 3, name: 'Mail', channel_type: 'Channel::Email' }] } }
      case 'teams':
        return { body: [{ id: 4, name: 'second level' }] }
      case 'contacts': {
        const contacts = [
          {
            id: 40,
            name: 'Carl',
            email: 'carl@example.com',
            identifier: 'user_42',
            phone_number: '+49301',
            created_at: at(0),
          },
        ]
        return { body: { meta: { count: 1, current_page: page }, payload: page === 1 ? contacts : [] } }
      }
      case 'conversations': {
        assert.equal(query.get('status'), 'all')
        const from = (page - 1) * conversationsPerPage
        return {
          body: { data: { meta: {}, payload: conversations.slice(from, from + conversationsPerPage) } },
        }
      }
      default:
        return null
    }
  })
  const folder = temporaryFolder(t)
  const base = `${server.url}/api/v1/accounts/9`
  const fetch = (more: Partial<FetchGiven> = {}) =>
    fetchInto(chatwoot, { folder, base, headers: { api_access_token: 'secret' }, ...more })
  return { ...server, folder, fetch }
}

describe('a fetch from Chatwoot', () => {
  test('takes agents, labels, inboxes, teams and contacts', async (t) => {
    const { lines } = await (await account(t, [], {})).fetch()
    assert.deepEqual(
      lines.map(({ type, external_id, name }) => [type, external_id, name]),
      [
        ['operator', '1', 'Ada'],
        ['tag', '2', 'billing'],
        ['department', 'inbox:3', 'Mail'],
        ['department', 'team:4', 'second level'],
        ['end_user', 'chatwoot:40', 'Carl'],
      ],
    )
    assert.equal(byId(lines, 'operator')[1].role, 'admin')
  })

  test('reads messages back to the first one, 20 at a time, and conversations of all pages', async (t) => {
    const many = Array.from({ length: 53 }, (_, i) => message(i + 1, i % 2))
    const conversations = Array.from({ length: 27 }, (_, i) => conversation(i + 1))
    const { fetch, requests } = await account(t, conversations, { 1: many })
    const { lines } = await fetch()
    assert.equal(Object.keys(byId(lines, 'conversation')).length, 27)
    assert.deepEqual(
      Object.keys(byId(lines, 'message')),
      many.map(({ id }) => `chatwoot:message:${id}`),
    )
    assert.deepEqual(
      requests.filter((each) => each.includes('/conversations/1/')).map((each) => each.split('/messages')[1]),
      ['', '?before=34', '?before=14', '?before=1'],
    )
  })

  test('keeps sides and notes, orders by id, and leaves out activities', async (t) => {
    const messages = [
      message(1, 0),
      message(2, 2, { content: 'Ada joined', sender: undefined }),
      message(3, 1, { private: true }),
      message(5, 1, { created_at: at(9), content: 'one' }),
      message(4, 1, { created_at: at(9), content: 'zero' }),
      message(11, 3, { sender: { id: 7, type: 'agent_bot' } }),
      message(12, 1, { content: 'gone', content_attributes: { deleted: true } }),
    ]
    const { lines, losses } = await (
      await account(t, [conversation(1, { status: 'resolved' })], { 1: messages })
    ).fetch()
    assert.deepEqual(
      lines
        .filter(({ type }) => type === 'message')
        .map(({ body, author_side, visibility, body_format }) => [
          body,
          author_side,
          visibility,
          body_format,
        ]),
      [
        ['Message 1', 'end_user', 'public', 'text'],
        ['Message 3', 'operator', 'internal', 'text'],
        ['zero', 'operator', 'public', 'text'],
        ['one', 'operator', 'public', 'text'],
        ['Message 11', 'system', 'public', 'text'],
      ],
    )
    assert.deepEqual(byId(lines, 'conversation')['chatwoot:1'], {
      type: 'conversation',
      external_id: 'chatwoot:1',
      end_user_external_id: 'chatwoot:40',
      subject: 'Invoice',
      status: 'resolved',
      initiated_by_side: 'end_user',
      channel: 'email',
      priority: 'normal',
      department_external_id: 'inbox:3',
      assignee_external_id: '1',
      tags: ['billing'],
      metadata: { chatwoot_order: 'A-17' },
      created_at: iso(0),
      updated_at: iso(30),
      resolved_at: iso(30),
      first_response_at: iso(4),
    })
    assert.deepEqual(
      losses.map(({ reason, source_id }) => [reason, source_id]),
      [['deleted', 'chatwoot:message:12']],
    )
  })

  test('fetches files, and reports attachments that are none', async (t) => {
    const file = '/rails/active_storage/blobs/redirect/abc/bill 1.pdf'
    const attachments = [
      { id: 8, file_type: 'file', data_url: '', extension: null },
      { id: 9, file_type: 'location', coordinates_lat: 1 },
    ]
    const messages = { 1: [message(1, 0, { content: null, attachments })] }
    const { url, fetch, folder } = await account(t, [conversation(1)], messages, { [file]: { body: 'PDF' } })
    attachments[0]!.data_url = `${url}${encodeURI(file)}`
    const { lines, losses } = await fetch()
    const { body, attachments: kept } = byId(lines, 'message')['chatwoot:message:1']
    assert.deepEqual([body, kept[0].filename], ['', 'bill 1.pdf'])
    assert.equal(readFileSync(join(folder, kept[0].path), 'utf8'), 'PDF')
    assert.deepEqual(
      losses.map(({ reason, detail }) => [reason, detail]),
      [['field_unmapped', 'an attachment of type location']],
    )
  })
})
