import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { conversationLine, imported, type Line, messageLine, startImport } from '@backline/test/imports.ts'

import { ended, resultsOf } from '@backline/test/jobs.ts'

/* An object is imported once, whatever files it is in. */

const api = service({ works: true })

// biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
type Body = any

const idsOf = (results: Body[]) => results.map(({ id }) => id)
const get = async (client: Client, path: string): Promise<Body> => succeeded(await client.get(path))
const feedOf = async (client: Client): Promise<string[]> =>
  (await get(client, '/v1/events?limit=100')).data
    .map(({ type }: Body) => type)
    .filter((type: string) => !/^(job|file)\./.test(type))

const lines: Line[] = [
  { type: 'company', external_id: 'acme', name: 'Acme', domains: ['acme.example'] },
  { type: 'end_user', external_id: 'user_1', name: 'Grace', company_external_ids: ['acme'] },
  { type: 'tag', external_id: 't1', name: 'Billing' },
  conversationLine('c1', { tag_external_ids: ['t1'], company_external_id: 'acme' }),
  messageLine('m1', 'c1'),
  messageLine('m2', 'c1', {
    author_side: 'operator',
    operator_external_id: 'gone',
    in_reply_to_external_id: 'm1',
    created_at: '2020-03-01T09:00:00Z',
  }),
]

describe('a file', () => {
  test('that is imported again imports nothing', async () => {
    const { test: client } = await api.world()
    const first = await imported(api, client, lines)
    assert.equal(first.job.progress.failed, 0, JSON.stringify(first.results))
    const events = await feedOf(client)
    const again = await imported(api, client, lines)
    assert.equal(again.job.status, 'succeeded')
    assert.deepEqual(idsOf(again.results), idsOf(first.results))
    assert.deepEqual(await feedOf(client), events)
    const { data } = await get(client, `/v1/conversations/${first.results[3].id}/messages`)
    assert.equal(data[1].in_reply_to_id, data[0].id)
  })

  test('that is longer adds what is new, at the end of the conversations', async () => {
    const { test: client } = await api.world()
    const first = await imported(api, client, lines)
    const longer = [
      ...lines,
      messageLine('m0', 'c1', { created_at: '2020-03-01T07:00:00Z' }),
      messageLine('m3', 'c1', { created_at: '2020-03-02T07:00:00Z' }),
    ]
    const { results } = await imported(api, client, longer)
    assert.deepEqual(idsOf(results).slice(0, 6), idsOf(first.results))
    const id = first.results[3].id
    const { data } = await get(client, `/v1/conversations/${id}/messages`)
    assert.deepEqual(
      data.map(({ external_id, sequence }: Body) => [external_id, sequence]),
      [
        ['m1', 1],
        ['m2', 2],
        ['m0', 3],
        ['m3', 4],
      ],
    )
    const conversation = await get(client, `/v1/conversations/${id}`)
    assert.deepEqual(
      [conversation.message_count, conversation.last_message_at, conversation.status, conversation.version],
      [4, '2020-03-02T07:00:00.000Z', 'closed', 2],
    )
    assert.deepEqual(conversation.unread_count, { end_user: 0, operator: 0 })
    const imports = (await feedOf(client)).filter((type) => type === 'conversation.imported')
    assert.equal(imports.length, 2)
  })

  test('of another source does not take the external ids of the first', async () => {
    const { test: client } = await api.world()
    const first = await imported(api, client, lines)
    const other = await imported(
      api,
      client,
      lines
        .filter((line) => (line as Body).type !== 'company')
        .map((line) => ({
          ...(line as Body),
          company_external_id: undefined,
          company_external_ids: undefined,
        })),
      {
        source: 'intercom',
      },
    )
    assert.equal(other.job.progress.failed, 0, JSON.stringify(other.results))
    const tag = other.results[1].id
    assert.equal(tag, first.results[2].id, 'tags of the same name are adopted')
    const conversation = await get(client, `/v1/conversations/${other.results[2].id}`)
    assert.notEqual(conversation.id, first.results[3].id)
    assert.deepEqual([conversation.external_id, conversation.external_user_id], [null, null])
    assert.notEqual(other.results[0].id, first.results[1].id)
  })

  test('finds objects of the API by their external ids', async () => {
    const { test: client } = await api.world()
    const user = succeeded(await client.post('/v1/end_users', { external_id: 'user_1', name: 'Grace' }))
    const conversation = succeeded(
      await client.post('/v1/conversations', {
        external_user_id: 'user_1',
        external_id: 'c1',
        message: { body: 'Hello' },
      }),
    )
    const { results } = await imported(api, client, lines)
    assert.deepEqual([results[1].id, results[3].id], [user.id, conversation.id])
    const shown = await get(client, `/v1/conversations/${conversation.id}`)
    assert.deepEqual([shown.message_count, shown.status, shown.unread_count.operator], [3, 'new', 1])
  })
})

test('a conversation that was deleted is imported anew', async () => {
  const { test: client } = await api.world()
  const first = await imported(api, client, lines)
  assert.equal((await client.delete(`/v1/conversations/${first.results[3].id}`)).status, 204)
  const { job, results } = await imported(api, client, lines)
  assert.equal(job.progress.failed, 0, JSON.stringify(results))
  assert.notEqual(results[3].id, first.results[3].id)
  const { data } = await get(client, `/v1/conversations/${results[3].id}/messages`)
  assert.deepEqual(
    data.map(({ external_id }: Body) => external_id),
    ['m1', 'm2'],
  )
})

test('on_conflict: update patches what a line has', async () => {
  const { test: client } = await api.world()
  const first = await imported(api, client, [
    ...lines,
    { type: 'category', external_id: 'k1', name: 'Cards' },
    { type: 'category', external_id: 'k2', name: 'Lost', parent_external_id: 'k1' },
  ])
  assert.equal(first.job.progress.failed, 0, JSON.stringify(first.results))
  const { job, results } = await imported(
    api,
    client,
    [
      { type: 'end_user', external_id: 'user_1', name: 'Grace Hopper' },
      { type: 'tag', external_id: 't1', name: 'Money' },
      { type: 'category', external_id: 'k2', name: 'Stolen' },
      conversationLine('c1', { subject: 'New', status: 'resolved', category_external_id: 'k2' }),
      messageLine('m1', 'c1', { body: 'Another text' }),
    ],
    { on_conflict: 'update' },
  )
  assert.equal(job.status, 'succeeded', JSON.stringify(results))
  const { results: before } = first
  assert.deepEqual(
    idsOf(results),
    [1, 2, 7, 3, 4].map((i) => before[i].id),
  )
  assert.equal((await get(client, `/v1/end_users/${before[1].id}`)).name, 'Grace Hopper')
  const category = await get(client, `/v1/categories/${before[7].id}`)
  assert.deepEqual(category.path, ['Cards', 'Stolen'])
  const conversation = await get(client, `/v1/conversations/${before[3].id}`)
  assert.deepEqual(
    [conversation.subject, conversation.status, conversation.tags, conversation.category_id],
    ['New', 'resolved', ['Money'], category.id],
  )
  assert.equal((await get(client, `/v1/messages/${before[4].id}`)).body, 'Another text')
})

describe('on_conflict: update', () => {
  const at = (day: number) => `2020-03-0${day}T08:00:00.000Z`
  async function updated(from: object, ...to: object[]): Promise<{ client: Client; conversation: Body }> {
    const { test: client } = await api.world()
    const { results } = await imported(api, client, [conversationLine('c1', from)])
    for (const given of to) {
      const { job } = await imported(api, client, [conversationLine('c1', given)], { on_conflict: 'update' })
      assert.equal(job.progress.failed, 0)
    }
    return { client, conversation: await get(client, `/v1/conversations/${results[0].id}`) }
  }
  const holdsOf = async (client: Client, { id }: Body): Promise<Body[]> =>
    (await get(client, `/v1/conversations/${id}/holds`)).data

  test('corrects the times of a status that stays', async () => {
    const closed = { status: 'closed', resolved_at: at(2), closed_at: at(3) }
    const { conversation } = await updated(
      { ...closed, resolved_at: at(5), closed_at: at(6) },
      { ...closed, first_response_at: '2020-03-01T09:00:00+01:00' },
    )
    assert.deepEqual(
      [conversation.resolved_at, conversation.closed_at, conversation.first_response_at],
      [at(2), at(3), at(1)],
    )
  })

  test('writes nothing for times that are the same in another form', async () => {
    const { conversation } = await updated(
      { closed_at: at(3), first_response_at: at(2) },
      { closed_at: '2020-03-03T09:00:00+01:00', first_response_at: '2020-03-02T08:00:00Z' },
    )
    assert.equal(conversation.version, 1)
  })

  test('corrects a hold, and its period with it', async () => {
    const { client, conversation } = await updated(
      { status: 'on_hold', hold: { reason: 'Parts', note: 'In May', since: at(3) } },
      { status: 'on_hold', hold: { reason: 'Money', since: at(2) } },
      { status: 'on_hold', hold: { note: 'In June' } },
    )
    const { note, since, hold_reason_id } = conversation.hold
    assert.deepEqual([note, since, conversation.waiting_since], ['In June', at(2), at(2)])
    assert.equal((await get(client, `/v1/hold_reasons/${hold_reason_id}`)).name, 'Money')
    const holds = await holdsOf(client, conversation)
    assert.deepEqual(
      holds.map((each) => [each.hold_reason_id, each.note, each.since, each.ended_at]),
      [[hold_reason_id, 'In June', at(2), null]],
    )
  })

  test('ends the period of a hold that is over', async () => {
    const { client, conversation } = await updated(
      { status: 'on_hold', hold: { reason: 'Parts', since: at(2) } },
      { status: 'resolved', resolved_at: at(4) },
    )
    assert.deepEqual([conversation.status, conversation.hold], ['resolved', null])
    const holds = await holdsOf(client, conversation)
    assert.deepEqual(
      holds.map(({ since, ended_at }) => [since, ended_at]),
      [[at(2), at(4)]],
    )
  })
})

test('two imports of the same lines at once import each object once', async () => {
  const { test: client } = await api.world()
  const many: Line[] = Array.from({ length: 60 }, (_, i) => [
    conversationLine(`c${i}`, { end_user_external_id: `user_${i % 7}`, tags: [`tag ${i % 3}`] }),
    messageLine(`m${i}`, `c${i}`, { author_side: 'operator', operator_external_id: `op_${i % 5}` }),
    messageLine(`n${i}`, `c${i}`),
  ]).flat()
  const started = [await startImport(api, client, many), await startImport(api, client, many)]
  const jobs = await Promise.all(started.map((job) => ended(client, job)))
  for (const { status, progress } of jobs)
    assert.deepEqual([status, progress.done, progress.failed], ['succeeded', 180, 0])
  const [one, other] = await Promise.all(jobs.map((job) => resultsOf(client, job)))
  assert.deepEqual(idsOf(one!), idsOf(other!))
  assert.equal((await get(client, '/v1/conversations?limit=100')).data.length, 60)
  assert.equal((await get(client, '/v1/operators?limit=100&archived=true')).data.length, 5)
})
