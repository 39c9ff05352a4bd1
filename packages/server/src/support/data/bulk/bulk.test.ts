import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { service } from '@backline/test/harness.ts'
import { ended, resultsOf, run, started } from '@backline/test/jobs.ts'
import { conversation, journal, macro, surroundings } from '@backline/test/macro-fixtures.ts'

const api = service({ works: true })

describe('a bulk job', () => {
  const filters = {
    'that an index serves': { field: 'tags', op: 'contains', value: 'outage' },
    'that is checked row by row': {
      any: [
        { field: 'tags', op: 'contains', value: 'outage' },
        { field: 'priority', op: 'is', value: 'urgent' },
      ],
    },
  }
  for (const [which, filter] of Object.entries(filters)) {
    test(`performs the actions on all that a filter selects, and on no other: a filter ${which}`, async () => {
      const world = await api.world()
      const targets = []
      for (let i = 0; i < 25; i++) targets.push(await conversation(world.test, { tags: ['outage'] }))
      const other = await conversation(world.test)
      const job = await run(world.test, '/v1/bulk', {
        selection: { filter },
        actions: [
          { type: 'add_tags', tags: ['told'] },
          { type: 'set_priority', priority: 'high' },
        ],
      })
      assert.equal(job.status, 'succeeded')
      assert.deepEqual(job.progress, { done: 25, total: 25, failed: 0 })
      for (const { id } of targets) {
        const { body } = await world.test.get(`/v1/conversations/${id}`)
        assert.deepEqual([body.priority, body.tags, body.version], ['high', ['outage', 'told'], 2])
      }
      assert.deepEqual((await world.test.get(`/v1/conversations/${other.id}`)).body, other)
      const results = await resultsOf(world.test, job)
      assert.deepEqual(
        results.map(({ index, id, status }) => [index, id, status]),
        targets.map(({ id }, index) => [index, id, 'succeeded']),
      )
    })
  }

  test('names the key and operator that started it, and itself as the request', async () => {
    const { test: client } = await api.world()
    const { acting, operator } = await surroundings(client)
    const { id } = await conversation(client)
    const headers = { ...acting, 'idempotency-key': 'bulk-1' }
    const job = await ended(
      client,
      await started(
        client,
        '/v1/bulk',
        { selection: { ids: [id] }, actions: [{ type: 'note', body: 'Seen' }] },
        headers,
      ),
    )
    assert.equal(job.status, 'succeeded')
    const { body } = await client.get(`/v1/events?conversation_id=${id}&types=message.created`)
    const [event] = body.data
    assert.deepEqual(event.request, { id: job.id, idempotency_key: 'bulk-1' })
    assert.equal(event.actor.operator_id, operator.id)
    assert.equal(event.actor.type, 'api_key')
  })

  test('reports each refusal and goes on with the others', async () => {
    const world = await api.world()
    const [open, closed] = [await conversation(world.test), await conversation(world.test)]
    await world.test.post(`/v1/conversations/${closed.id}/close`)
    const missing = open.id.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
    const job = await run(world.test, '/v1/bulk', {
      selection: { ids: [closed.id, open.id, missing] },
      actions: [
        { type: 'add_tags', tags: ['x'] },
        { type: 'reply', body: 'Hello' },
      ],
    })
    assert.equal(job.status, 'completed_with_errors')
    assert.deepEqual(job.progress, { done: 3, total: 3, failed: 2 })
    const results = await resultsOf(world.test, job)
    assert.deepEqual(
      results.map(({ index, status, errors }) => [
        index,
        status,
        errors.map(({ code }: { code: string }) => code),
      ]),
      [
        [0, 'failed', ['conversation_closed']],
        [1, 'succeeded', []],
        [2, 'failed', ['not_found']],
      ],
    )
    assert.deepEqual((await world.test.get(`/v1/conversations/${closed.id}`)).body.tags, [])
    assert.equal((await resultsOf(world.test, job, '&status=failed')).length, 2)
  })

  test('changes nothing in a dry run and tells what would change', async () => {
    const world = await api.world()
    const target = await conversation(world.test)
    const before = (await journal(api, world)).length
    const job = await run(world.test, '/v1/bulk', {
      selection: { ids: [target.id] },
      actions: [{ type: 'set_priority', priority: 'urgent' }],
      dry_run: true,
    })
    assert.deepEqual([job.status, job.dry_run], ['succeeded', true])
    const [result] = await resultsOf(world.test, job)
    assert.deepEqual(result.changes.priority, { from: 'normal', to: 'urgent' })
    assert.deepEqual((await world.test.get(`/v1/conversations/${target.id}`)).body, target)
    const types = (await journal(api, world)).slice(before).map(({ type }) => type)
    assert.deepEqual(types, ['job.created', 'job.started', 'job.ended'])
  })

  test('tells the changes of a dry run to those who may read conversations, and to nobody else', async () => {
    const world = await api.world()
    const { id } = await conversation(world.test)
    const input = { selection: { ids: [id] }, actions: [{ type: 'set_priority', priority: 'urgent' }] }
    const job = await run(world.test, '/v1/bulk', { ...input, dry_run: true })
    const [result] = await resultsOf(await world.withScopes('jobs:read', 'conversations:read'), job)
    assert.deepEqual(result.changes.priority, { from: 'normal', to: 'urgent' })
    assert.deepEqual(await resultsOf(await world.withScopes('jobs:read'), job), [
      { ...result, changes: null },
    ])
  })

  test('does with one operator and one tag what single requests would do one after another', async () => {
    const world = await api.world()
    const { operator, department } = await surroundings(world.test)
    const targets = []
    for (let i = 0; i < 30; i++) targets.push(await conversation(world.test))
    const { id } = await macro(world.test, [
      { type: 'set_department', department_id: department.id },
      { type: 'assign', operator_id: operator.id },
      { type: 'add_tags', tags: ['new tag'] },
    ])
    const job = await run(world.test, '/v1/bulk', {
      selection: { ids: targets.map((each) => each.id) },
      macro_id: id,
    })
    assert.equal(job.status, 'succeeded', JSON.stringify(await resultsOf(world.test, job)))
    assert.equal((await world.test.get(`/v1/operators/${operator.id}`)).body.open_conversations, 30)
    assert.equal((await world.test.get('/v1/tags')).body.data.length, 1)
    assert.equal((await world.test.get(`/v1/macros/${id}`)).body.usage_count, 30)
  })

  test('is refused with all faults at once', async () => {
    const { test: client } = await api.world()
    const { status, body } = await client.post('/v1/bulk', {
      selection: { filter: { field: 'nothing', op: 'is', value: 1 }, ids: [] },
      actions: [{ type: 'set_priority', priority: 'none' }],
      macro_id: 'mac_01kah1vgm0e1tbm5ye8n2m9q7c',
    })
    assert.equal(status, 422)
    assert.deepEqual(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
      '/actions/0/priority',
      '/selection/filter/field',
      '/selection/ids',
    ])
  })
})

test('a small job of another environment does not wait for a large one', async () => {
  const [large, small] = [await api.world(), await api.world()]
  const ids: string[] = []
  for (let i = 0; i < 30; i++)
    ids.push(
      ...(await Promise.all(Array.from({ length: 16 }, () => conversation(large.test)))).map(({ id }) => id),
    )
  const { id } = await conversation(small.test)
  const actions = [{ type: 'note', body: 'Seen' }, { type: 'resolve' }]
  const slow = await started(large.test, '/v1/bulk', { selection: { ids }, actions })
  const quick = await run(small.test, '/v1/bulk', { selection: { ids: [id] }, actions })
  const done = await ended(large.test, slow)
  assert.deepEqual([done.progress.done, quick.progress.done], [480, 1])
  assert.ok(quick.ended_at < done.ended_at, `${quick.ended_at} is not before ${done.ended_at}`)
})

test('a job that has ended cannot be cancelled', async () => {
  const { test: client } = await api.world()
  const { id } = await conversation(client)
  const job = await run(client, '/v1/bulk', { selection: { ids: [id] }, actions: [{ type: 'resolve' }] })
  const { status, body } = await client.post(`/v1/jobs/${job.id}/cancel`)
  assert.equal(status, 409)
  assert.deepEqual(body.params, { from: 'succeeded', action: 'cancel', allowed: [] })
})
