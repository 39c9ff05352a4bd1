import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { succeeded } from '@backline/test/desk.ts'
import { file } from '@backline/test/files.ts'
import { service } from '@backline/test/harness.ts'
import {
  conversationLine,
  faultsIn,
  imported,
  messageLine,
  sourceOf,
  startImport,
} from '@backline/test/imports.ts'
import { ended, resultsOf } from '@backline/test/jobs.ts'

const api = service({ works: true })

test('a bad line is a result with all its faults, and the others go on', async () => {
  const { test: client } = await api.world()
  const { job, results } = await imported(api, client, [
    'no JSON',
    '',
    '[]',
    { external_id: 'x' },
    { type: 'ticket', external_id: 'x' },
    { type: 'tag', name: 'x' },
    messageLine('m1', ''),
    messageLine('m1', 'c9'),
    { type: 'operator', external_id: 'o1', name: '', email: 'none', colour: 'red' },
    { type: 'category', external_id: 'k1', name: 'x', parent_external_id: 'k9' },
    conversationLine('c1', {
      created_at: '1969-12-31T00:00:00Z',
      closed_at: '2999-01-01T00:00:00Z',
      status: 'gone',
      subject: 1,
    }),
    conversationLine('c2', { department_external_id: 'd9', category_external_id: 'k9' }),
    conversationLine('c3'),
    messageLine('m3', 'c3', { body: '', author_side: 'system', operator_external_id: 'x' }),
    messageLine('m4', 'c3', {
      attachments: [{ url: 'http://127.0.0.1/x' }, { url: 'https://10.0.0.1/' }, { file_id: 'file_x' }],
    }),
    messageLine('m5', 'c3', { in_reply_to_external_id: 'm9' }),
    conversationLine('c4', { follow_up_of_external_id: 'c9' }),
    JSON.stringify(messageLine('m6', 'c3', { body: 'x'.repeat(1024 * 1024) })),
    messageLine('m7', 'c3'),
    conversationLine('c5', { status: 'on_hold', hold: { since: '2999-01-01T00:00:00Z' } }),
  ])
  assert.equal(job.status, 'completed_with_errors')
  assert.deepEqual(job.progress, { done: 19, total: 19, failed: 17 })
  assert.deepEqual(faultsIn(results), [
    [1, ['null bad_format']],
    [3, ['null wrong_type']],
    [4, ['/type required']],
    [5, ['/type not_allowed']],
    [6, ['/external_id required']],
    [7, ['/conversation_external_id too_short']],
    [8, ['/conversation_external_id not_found']],
    [9, ['/colour unknown_field', '/email bad_format', '/name too_short']],
    [10, ['/parent_external_id not_found']],
    [11, ['/closed_at too_large', '/created_at too_small', '/status not_allowed', '/subject wrong_type']],
    [12, ['/category_external_id not_found', '/department_external_id not_found']],
    [14, ['/body too_short', '/operator_external_id not_allowed']],
    [15, ['/attachments/0/url not_allowed', '/attachments/1/url not_allowed']],
    [16, ['/in_reply_to_external_id not_found']],
    [17, ['/follow_up_of_external_id not_found']],
    [18, ['null too_long']],
    [20, ['/hold/since too_large']],
  ])
  const kept = results.filter(({ status }) => status === 'succeeded').map(({ line }) => line)
  assert.deepEqual(kept, [13, 19])
})

test('references are found in any order', async () => {
  const { test: client } = await api.world()
  const { job, results } = await imported(api, client, [
    { type: 'faq', external_id: 'f1', question: 'Why?', answer: 'So.', kb_article_external_id: 'a1' },
    {
      type: 'kb_article',
      external_id: 'a1',
      title: 'Cards',
      body: 'Text',
      collection_external_id: 'n2',
      author_external_id: 'left',
      status: 'published',
    },
    { type: 'kb_collection', external_id: 'n2', name: 'Lost', parent_external_id: 'n1' },
    { type: 'kb_collection', external_id: 'n1', name: 'Cards' },
    {
      type: 'macro',
      external_id: 'x1',
      name: 'Move',
      actions: [{ type: 'set_department', department_external_id: 'd1' }],
      department_external_ids: ['d1'],
    },
    { type: 'category', external_id: 'k2', name: 'Lost', parent_external_id: 'k1' },
    { type: 'category', external_id: 'k1', name: 'Cards', default_department_external_id: 'd1' },
    { type: 'department', external_id: 'd1', name: 'Billing' },
    conversationLine('c2', { follow_up_of_external_id: 'c1', category_external_id: 'k2' }),
    conversationLine('c1', { merged_into_external_id: 'c3', participant_external_ids: ['user_2'] }),
    conversationLine('c3'),
  ])
  assert.equal(job.status, 'succeeded', JSON.stringify(faultsIn(results)))
  const get = async (path: string) => succeeded(await client.get(path))
  const ids = results.map(({ id }) => id)
  assert.equal((await get(`/v1/faqs/${ids[0]}`)).kb_article_id, ids[1])
  const article = await get(`/v1/kb/articles/${ids[1]}`)
  assert.deepEqual([article.collection_id, article.status], [ids[2], 'published'])
  assert.ok(article.author_id)
  assert.equal((await get(`/v1/kb/collections/${ids[2]}`)).parent_id, ids[3])
  const macro = await get(`/v1/macros/${ids[4]}`)
  assert.deepEqual([macro.actions[0].department_id, macro.department_ids], [ids[7], [ids[7]]])
  const category = await get(`/v1/categories/${ids[5]}`)
  assert.deepEqual([category.parent_id, category.path], [ids[6], ['Cards', 'Lost']])
  const [second, first] = [await get(`/v1/conversations/${ids[8]}`), await get(`/v1/conversations/${ids[9]}`)]
  assert.deepEqual([second.follow_up_of_id, second.category_id], [ids[9], ids[5]])
  assert.deepEqual([first.merged_into_id, first.participant_ids.length], [ids[10], 1])
})

test('a value that another object has is a fault of the line alone', async () => {
  const { test: client } = await api.world()
  const user = (external_id: string, address: string) => ({
    type: 'end_user',
    external_id,
    emails: [{ address, verified: true }],
  })
  const { job, results } = await imported(api, client, [
    ...Array.from({ length: 20 }, (_, i) => user(`u${i}`, `u${i % 15}@example.com`)),
    { type: 'tag', external_id: 't1', name: 'vip' },
    { type: 'tag', external_id: 't2', name: 'VIP' },
    { type: 'tag', external_id: 't2', name: 'Something else' },
  ])
  assert.deepEqual(job.progress, { done: 23, total: 23, failed: 5 })
  assert.deepEqual(
    faultsIn(results),
    [16, 17, 18, 19, 20].map((line) => [line, ['null already_exists']]),
  )
  assert.equal(new Set(results.slice(20).map(({ id }) => id)).size, 1)
})

test('a line needs the write scope of its family', async () => {
  const world = await api.world()
  const client = await world.withScopes('jobs:write', 'jobs:read', 'files:write', 'conversations:write')
  const { results } = await imported(api, client, [
    { type: 'tag', external_id: 't1', name: 'x' },
    conversationLine('c1'),
    messageLine('m1', 'c1'),
  ])
  assert.deepEqual(faultsIn(results), [
    [1, ['null scope_missing']],
    [3, ['null scope_missing']],
  ])
})

test('a dry run tells the same and writes nothing', async () => {
  const { test: client } = await api.world()
  const { job, results } = await imported(
    api,
    client,
    [
      { type: 'department', external_id: 'd1', name: 'Billing' },
      { type: 'category', external_id: 'k1', name: 'Cards', default_department_external_id: 'd1' },
      conversationLine('c1', { department_external_id: 'd1', category_external_id: 'k1', tags: ['vip'] }),
      messageLine('m1', 'c1', { author_side: 'operator', operator_external_id: 'ada' }),
      messageLine('m2', 'c2'),
    ],
    { dry_run: true },
  )
  assert.deepEqual(job.progress, { done: 5, total: 5, failed: 1 })
  assert.deepEqual(faultsIn(results), [[5, ['/conversation_external_id not_found']]])
  assert.ok(results.every(({ id }) => id === null))
  for (const path of ['departments', 'categories', 'conversations', 'tags', 'end_users', 'operators'])
    assert.deepEqual((await client.get(`/v1/${path}`)).body.data, [], path)
})

describe('the file', () => {
  test('is deleted when the job has ended, and nothing else uses it before', async () => {
    const { test: client } = await api.world()
    const file_id = await sourceOf(api, client, [conversationLine('c1')])
    const job = succeeded(await client.post('/v1/imports', { file_id, source: 'zendesk' }))
    const again = await client.post('/v1/imports', { file_id, source: 'zendesk' })
    assert.equal(again.status, 422)
    await ended(client, job)
    assert.equal((await client.get(`/v1/files/${file_id}`)).status, 404)
  })

  test('that is no gzip file after all ends the job as failed', async () => {
    const { test: client } = await api.world()
    const { id: file_id } = await file(api, client, {
      bytes: Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4]),
      filename: 'lines.gz',
      content_type: 'application/gzip',
    })
    const job = await ended(
      client,
      succeeded(await client.post('/v1/imports', { file_id, source: 'zendesk' })),
    )
    assert.deepEqual([job.status, job.error.code], ['failed', 'file_unreadable'])
  })

  test('that has too many lines ends the job as failed, which says how many it may have', async () => {
    const { test: client } = await api.world()
    const { id: file_id } = await file(api, client, {
      bytes: gzipSync(Buffer.alloc(20_000_001, '\n')),
      filename: 'lines.gz',
      content_type: 'application/gzip',
    })
    const job = await ended(
      client,
      succeeded(await client.post('/v1/imports', { file_id, source: 'zendesk' })),
    )
    assert.deepEqual([job.status, job.error.code], ['failed', 'file_too_large'])
    assert.match(job.error.detail, /more than 20000000 lines/)
  })

  test('may be empty', async () => {
    const { test: client } = await api.world()
    const { job } = await imported(api, client, ['', ''])
    assert.deepEqual([job.status, job.progress.total], ['succeeded', 0])
  })
})

test('lines beyond 64 MiB of one conversation are faults, and the others go on', async () => {
  const { test: client } = await api.world()
  const long = (line: object) => JSON.stringify(line) + ' '.repeat(1024 * 1024 - 1_000)
  const { job, results } = await imported(
    api,
    client,
    [
      messageLine('n1', 'c2'),
      ...Array.from({ length: 70 }, (_, i) => long(messageLine(`m${i}`, 'c1'))),
      long(conversationLine('c1')),
      conversationLine('c2'),
    ],
    { gzip: true },
  )
  assert.deepEqual(job.progress, { done: 73, total: 73, failed: 6 })
  assert.deepEqual(
    faultsIn(results),
    [66, 67, 68, 69, 70, 71].map((line) => [line, ['null too_large']]),
  )
  const { message_count } = succeeded(await client.get(`/v1/conversations/${results[71].id}`))
  assert.equal(message_count, 64)
})

test('an import can be cancelled', async () => {
  const { test: client } = await api.world()
  const lines = Array.from({ length: 3_000 }, (_, i) => conversationLine(`c${i}`))
  const job = await startImport(api, client, lines)
  assert.equal((await client.post(`/v1/jobs/${job.id}/cancel`)).status, 200)
  const { body } = await client.get(`/v1/jobs/${job.id}`)
  assert.equal(body.status, 'cancelled')
  assert.equal((await resultsOf(client, job)).length, body.progress.done)
})
