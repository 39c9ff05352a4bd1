import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  type Answer,
  type Asked,
  type FetchGiven,
  fetchInto,
  type Recorded,
  serve,
  temporaryFolder,
} from '../recorded.test-fixtures.ts'
import { zendesk } from './zendesk.ts'

/* Responses as in Zendesk's reference: incremental exports with cursors, comments with cursor pages. */

export const at = (minute: number) =>
  new Date(Date.UTC(2024, 0, 5, 9, minute)).toISOString().replace('.000', '')

const users = [
  {
    id: 1,
    name: 'Ada Admin',
    email: 'ada@acme.test',
    role: 'admin',
    active: true,
    iana_time_zone: 'Europe/Berlin',
  },
  { id: 2, name: 'Left Agent', email: 'left@acme.test', role: 'agent', active: false, suspended: false },
  {
    id: 10,
    name: 'Carl Customer',
    email: 'carl@example.com',
    role: 'end-user',
    phone: '+49 30 123456',
    locale: 'de',
    verified: true,
    organization_id: 7,
    external_id: 'user_42',
    created_at: at(0),
    tags: ['vip'],
    user_fields: { plan: 'pro', empty: null },
  },
  { id: 11, name: 'Dora', email: 'not an address', role: 'end-user', phone: '030 1', created_at: at(0) },
]

export const ticket = (id: number, more: object = {}) => ({
  id,
  subject: `Ticket ${id}`,
  status: 'open',
  priority: 'high',
  requester_id: 10,
  submitter_id: 10,
  assignee_id: 1,
  group_id: 5,
  organization_id: 7,
  tags: ['billing'],
  via: { channel: 'email', source: { rel: null } },
  custom_fields: [{ id: 300, value: 'A-17' }],
  created_at: at(1),
  updated_at: at(30),
  ...more,
})

export const comment = (id: number, author: number, more: object = {}) => ({
  id,
  type: 'Comment',
  author_id: author,
  public: true,
  html_body: `<p>Comment <b>${id}</b></p>`,
  plain_body: `Comment ${id}`,
  attachments: [],
  created_at: at(id % 60),
  ...more,
})

export type Account = {
  tickets: Recorded[]
  comments: Record<number, Recorded[]>
  files: Record<string, Answer>
  /** Answers before all others. */
  first: (asked: Asked) => Answer | null
}

const pageSize = 2

/** The export in pages of two; comments in pages of two. */
export async function account(t: TestContext, given: Partial<Account> = {}) {
  const own: Account = { tickets: [ticket(100)], comments: {}, files: {}, first: () => null, ...given }
  const exported = (name: string, items: Recorded[], query: URLSearchParams, more: object = {}) => {
    const from = Number(query.get('cursor') ?? 0)
    const next = Math.min(from + pageSize, items.length)
    const isLast = next === items.length
    return {
      body: { [name]: items.slice(from, next), after_cursor: String(next), end_of_stream: isLast, ...more },
    }
  }
  const server = await serve(t, (asked) => {
    const { path, query } = asked
    const early = own.first(asked)
    if (early) return early
    const { authorization } = asked.headers
    if (path.startsWith('/attachments/')) return own.files[path] ?? null
    if (authorization !== 'Basic x') return { status: 401, body: { error: "Couldn't authenticate you" } }
    const [, id] = /^\/api\/v2\/tickets\/(\d+)\/comments$/.exec(path) ?? []
    if (id) {
      const all = own.comments[Number(id)] ?? [comment(Number(id) * 10, 10)]
      const from = Number(query.get('page[after]') ?? 0)
      const comments = all.slice(from, from + pageSize)
      const authors = users.filter((user) =>
        comments.some(({ author_id }: Recorded) => author_id === user.id),
      )
      const meta = { has_more: from + pageSize < all.length, after_cursor: String(from + pageSize) }
      return { body: { comments, users: authors, meta } }
    }
    switch (path) {
      case '/api/v2/ticket_fields':
        return { body: { ticket_fields: [{ id: 300, title: 'Order' }], meta: { has_more: false } } }
      case '/api/v2/groups':
        return query.get('page[after]')
          ? { body: { groups: [{ id: 6, name: 'Old', deleted: true }], meta: { has_more: false } } }
          : {
              body: {
                groups: [{ id: 5, name: 'Billing', deleted: false }],
                meta: { has_more: true, after_cursor: 'b' },
              },
            }
      case '/api/v2/organizations':
        return {
          body: {
            organizations: [{ id: 7, name: 'Example', domain_names: ['Example.com'] }],
            meta: { has_more: false },
          },
        }
      case '/api/v2/incremental/users/cursor':
        return exported('users', users, query)
      case '/api/v2/incremental/tickets/cursor': {
        assert.ok(query.get('cursor') ?? query.get('start_time'))
        const metric_sets = [{ ticket_id: 101, solved_at: at(20), reply_time_in_minutes: { calendar: 5 } }]
        return exported('tickets', own.tickets, query, { metric_sets })
      }
      default:
        return null
    }
  })
  const folder = temporaryFolder(t)
  const fetch = (more: Partial<FetchGiven> = {}) =>
    fetchInto(zendesk, { folder, base: server.url, headers: { authorization: 'Basic x' }, ...more })
  return { ...server, folder, fetch, own }
}
