import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { service } from '@backline/test/harness.ts'
import { conversationLine, imported, messageLine } from '@backline/test/imports.ts'

const api = service({ works: true })

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Body = any

describe('an import', () => {
  test('keeps times, authors, notes, order and states', async () => {
    const { test: client } = await api.world()
    const lines = [
      messageLine('m3', 'c1', {
        author_side: 'operator',
        operator_external_id: 'ada',
        visibility: 'internal',
        body: 'A note',
        created_at: '2020-03-01T10:00:00Z',
      }),
      messageLine('m2', 'c1', {
        author_side: 'operator',
        operator_external_id: 'gone',
        body: '**An** answer',
        body_format: 'markdown',
        created_at: '2020-03-01T09:00:00+01:00',
      }),
      messageLine('m1', 'c1', { created_at: '2020-03-01T07:00:00.250Z' }),
      conversationLine('c1', {
        subject: 'A card was declined',
        channel: 'email',
        priority: 'high',
        tags: ['Billing', 'vip'],
        assignee_external_id: 'ada',
        created_at: '2020-03-01T07:00:00Z',
        resolved_at: '2020-03-01T11:00:00Z',
        closed_at: '2020-03-04T11:00:00Z',
        metadata: { brand: 'x' },
      }),
      { type: 'operator', external_id: 'ada', name: 'Ada', email: 'ada@example.com' },
      { type: 'end_user', external_id: 'user_1', name: 'Grace', created_at: '2019-01-01T00:00:00Z' },
    ]
    const { job, results } = await imported(api, client, lines)
    assert.equal(job.status, 'succeeded', JSON.stringify({ job, results }))
    assert.deepEqual(job.progress, { done: 6, total: 6, failed: 0 })
    assert.deepEqual(
      results.map(({ line, status }) => [line, status]),
      [1, 2, 3, 4, 5, 6].map((line) => [line, 'succeeded']),
    )
    const { body: conversation } = await client.get(`/v1/conversations/${results[3].id}`)
    const { body: operator } = await client.get(`/v1/operators/${results[4].id}`)
    const { body: endUser } = await client.get(`/v1/end_users/${results[5].id}`)
    assert.equal(endUser.name, 'Grace')
    assert.equal(endUser.created_at, '2019-01-01T00:00:00.000Z')
    assert.equal(operator.external_id, 'ada')
    assert.equal(operator.open_conversations, 0)
    const { id, ...shown } = conversation
    assert.deepEqual(shown, {
      ...shown,
      external_id: 'c1',
      end_user_id: endUser.id,
      external_user_id: 'user_1',
      subject: 'A card was declined',
      channel: 'email',
      priority: 'high',
      status: 'closed',
      waiting_on: null,
      waiting_since: null,
      assignee_id: operator.id,
      tags: ['Billing', 'vip'],
      message_count: 3,
      last_message_at: '2020-03-01T08:00:00.000Z',
      last_message_side: 'operator',
      first_response_at: '2020-03-01T08:00:00.000Z',
      resolved_at: '2020-03-01T11:00:00.000Z',
      closed_at: '2020-03-04T11:00:00.000Z',
      unread_count: { end_user: 0, operator: 0 },
      sla: null,
      metadata: { brand: 'x' },
      created_at: '2020-03-01T07:00:00.000Z',
      updated_at: '2020-03-04T11:00:00.000Z',
      version: 1,
    })
    const { body: list } = await client.get(`/v1/conversations/${id}/messages`)
    assert.deepEqual(
      list.data.map((each: { [member: string]: unknown }) => [
        each.external_id,
        each.sequence,
        each.author_side,
        each.visibility,
        each.body,
        each.created_at,
      ]),
      [
        ['m1', 1, 'end_user', 'public', 'Text of m1', '2020-03-01T07:00:00.250Z'],
        ['m2', 2, 'operator', 'public', '**An** answer', '2020-03-01T08:00:00.000Z'],
        ['m3', 3, 'operator', 'internal', 'A note', '2020-03-01T10:00:00.000Z'],
      ],
    )
    const [first, second, third] = list.data
    assert.equal(first.author_end_user_id, endUser.id)
    assert.match(second.body_html, /<strong>An<\/strong> answer/)
    assert.equal(third.operator_id, operator.id)
    const { body: archived } = await client.get(`/v1/operators/${second.operator_id}`)
    assert.deepEqual([archived.name, archived.external_id, archived.archived], ['gone', 'gone', true])
    assert.match(archived.email, /^[0-9a-f]{32}@imported\.invalid$/)
  })

  test('reads a file that is compressed by gzip', async () => {
    const { test: client } = await api.world()
    const lines = [conversationLine('c1'), messageLine('m1', 'c1')]
    const { job } = await imported(api, client, lines, { gzip: true })
    assert.deepEqual(job.progress, { done: 2, total: 2, failed: 0 })
  })
})

test('objects of every other type keep the time at which they were created', async () => {
  const { test: client } = await api.world()
  const created_at = '2016-02-29T23:59:59Z'
  const made = {
    operators: { type: 'operator', name: 'Ada', email: 'ada@example.com' },
    companies: { type: 'company', name: 'Example' },
    end_users: { type: 'end_user', name: 'Grace' },
    tags: { type: 'tag', name: 'billing' },
    departments: { type: 'department', name: 'Billing' },
    categories: { type: 'category', name: 'Refunds' },
    'kb/collections': { type: 'kb_collection', name: 'Guides' },
    'kb/articles': { type: 'kb_article', title: 'Refunds', body: 'How to', status: 'published' },
    faqs: { type: 'faq', question: 'How?', answer: 'So.' },
    macros: { type: 'macro', name: 'Close', actions: [{ type: 'close' }] },
  }
  const lines = Object.values(made).map((line, i) => ({ ...line, external_id: `x${i}`, created_at }))
  const { results } = await imported(api, client, [
    ...lines,
    { type: 'tag', external_id: 'y1', name: 'vip', created_at: 5 },
    { type: 'tag', external_id: 'y2', name: 'old', created_at: '2999-01-01T00:00:00Z' },
    { type: 'tag', external_id: 'y3', name: 'new', created_at: null },
  ])
  for (const [i, path] of Object.keys(made).entries()) {
    assert.deepEqual(results[i].errors, [], path)
    const { body } = await client.get(`/v1/${path}/${results[i].id}`)
    assert.equal(body.created_at, '2016-02-29T23:59:59.000Z', path)
  }
  assert.deepEqual(
    results.slice(-3).map(({ errors }) => errors.map(({ pointer, code }: Body) => [pointer, code])),
    [[['/created_at', 'wrong_type']], [['/created_at', 'too_large']], []],
  )
})
