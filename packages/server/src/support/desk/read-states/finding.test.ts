import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { signedIn } from '@backline/test/console.ts'
import { act, type Body, conversation, operator, say, succeeded } from '@backline/test/desk.ts'
import { type Answer, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { as, faultsOf, idsOf, numbers, read, readers, unread } from '@backline/test/read-states.ts'
import { followEphemeral } from '@backline/test/streams.ts'

const api = service()

async function desk() {
  const { test } = await api.world()
  return { test, ...(await readers(test)) }
}

describe('include=read_state', () => {
  test('is in lists, view items and single reads, with an ETag of all that they show', async () => {
    const { test, ada, id } = await desk()
    const { id: other } = await conversation(test)
    const view = succeeded(
      await test.post('/v1/views', {
        name: randomUUID(),
        filter: { field: 'status', op: 'exists', value: true },
      }),
    ).id
    for (const path of ['/v1/conversations', `/v1/views/${view}/items`]) {
      const { data } = succeeded(await test.get(`${path}?include=read_state`, as(ada)))
      assert.deepEqual(
        data.map((each: Body) => [each.id, ...numbers(each.read_state)]),
        [
          [other, 0, 0],
          [id, 0, 3],
        ],
      )
      assert.ok(!('read_state' in succeeded(await test.get(path, as(ada))).data[0]))
    }
    const path = `/v1/conversations/${id}?include=read_state`
    const tagOf = async () => (await test.get(path, as(ada))).headers.get('etag')!
    const tag = await tagOf()
    assert.equal((await test.get(path, { ...as(ada), 'if-none-match': tag })).status, 304)
    succeeded(await read(test, ada, id))
    assert.notEqual(await tagOf(), tag)
  })

  test('needs an operator', async () => {
    const { test, id } = await desk()
    for (const path of ['/v1/conversations', `/v1/conversations/${id}`]) {
      const answer = await test.get(`${path}?include=read_state`)
      assert.deepEqual([answer.status, faultsOf(answer)], [400, [['include', 'not_allowed']]])
    }
  })
})

describe('the filter unread', () => {
  const tree = (op: string, value: unknown = 'me') => ({ field: 'unread', op, value })
  const filtered = (filter: object) => `filter=${encodeURIComponent(JSON.stringify(filter))}`

  /** Conversations that Ada has read, or not, each in another way. */
  async function inbox() {
    const { test } = await api.world()
    const { id: old } = await conversation(test)
    await say(test, old, 'end_user')
    const [ada, grace] = [await operator(test), await operator(test)]
    const made = async (...sides: [string, object?][]) => {
      const { id } = await conversation(test)
      for (const [side, fields] of sides) await say(test, id, side, fields)
      return id as string
    }
    const own = { operator_id: ada }
    const unreadOnes = [
      await made(['end_user']),
      await made(['operator', own], ['end_user']),
      await made(['operator', { operator_id: grace, visibility: 'internal' }]),
      await made(['end_user'], ['operator', own]),
      await made(['end_user']),
      await made(['end_user']),
    ]
    succeeded(await unread(test, ada, unreadOnes[3]!, { from_sequence: 1 }))
    succeeded(await read(test, ada, unreadOnes[4]!))
    await say(test, unreadOnes[4]!, 'end_user')
    await act(test, unreadOnes[5]!, 'close')
    const readOnes = [
      old,
      await made(),
      await made(['system']),
      await made(['end_user'], ['operator', own]),
      await made(['operator', own], ['system']),
      await made(['end_user']),
    ]
    succeeded(await read(test, ada, readOnes[5]!))
    return { test, ada, grace, unreadOnes: unreadOnes.toReversed(), readOnes: readOnes.toReversed() }
  }

  test('is met as the read state tells, in lists, trees, views and counts, page by page', async () => {
    const { test, ada, unreadOnes, readOnes } = await inbox()
    const states = succeeded(await test.get('/v1/conversations?include=read_state&limit=100', as(ada))).data
    assert.deepEqual(
      states
        .filter(({ read_state }: Body) => read_state.unread_count > 0)
        .map(({ id }: Body) => id)
        .toSorted(),
      unreadOnes.toSorted(),
    )
    assert.deepEqual(await idsOf(test, ada, 'unread=me'), unreadOnes)
    assert.deepEqual(await idsOf(test, ada, filtered(tree('is'))), unreadOnes)
    assert.deepEqual((await idsOf(test, ada, filtered(tree('is_not')))).toSorted(), readOnes.toSorted())
    assert.deepEqual((await idsOf(test, ada, filtered({ not: tree('is') }))).toSorted(), readOnes.toSorted())
    assert.deepEqual(await idsOf(test, ada, 'unread=me&status=closed'), [unreadOnes[0]])
    assert.deepEqual(await idsOf(test, ada, `unread=me&${filtered(tree('is_not'))}`), [])
    const walked: string[] = []
    for (let cursor = ''; ; ) {
      const page = succeeded(
        await test.get(`/v1/conversations?unread=me&limit=2&include=total${cursor}`, as(ada)),
      )
      assert.equal(page.total, unreadOnes.length)
      walked.push(...page.data.map(({ id }: Body) => id))
      if (!page.has_more) break
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.deepEqual(walked, unreadOnes)
    const view = succeeded(await test.post('/v1/views', { name: randomUUID(), filter: tree('is') })).id
    const items = succeeded(await test.get(`/v1/views/${view}/items`, as(ada))).data
    assert.deepEqual(
      items.map(({ id }: Body) => id),
      unreadOnes,
    )
    const [counted] = succeeded(await test.get(`/v1/views/counts?ids=${view}`, as(ada))).data
    assert.equal(counted.count, unreadOnes.length)
    assert.equal((await test.get(`/v1/views/${view}/items`)).status, 400)
  })

  test('has no other operators and values, and needs an operator', async () => {
    const { test, ada } = await desk()
    const of = (filter: object, headers = as(ada)) =>
      test.get(`/v1/conversations?${filtered(filter)}`, headers)
    const pointersOf = ({ body }: Answer) => body.errors.map(({ pointer, code }: Body) => [pointer, code])
    for (const [filter, pointer, code] of [
      [tree('in', ['me']), '/op', 'not_allowed'],
      [tree('exists', true), '/op', 'not_allowed'],
      [tree('is', ada), '/value', 'not_allowed'],
      [tree('is', true), '/value', 'wrong_type'],
    ] as const)
      assert.deepEqual(pointersOf(await of(filter)), [[pointer, code]])
    assert.deepEqual(pointersOf(await of(tree('is'), {} as never)), [['/value', 'not_allowed']])
    const plain = await test.get('/v1/conversations?unread=me')
    assert.deepEqual([plain.status, faultsOf(plain)], [400, [['unread', 'not_allowed']]])
    assert.equal((await test.get('/v1/conversations?unread=you', as(ada))).status, 400)
    const hook = await test.post('/v1/webhook_endpoints', {
      url: 'https://example.com/hook',
      enabled_events: ['message.created'],
      filter: tree('is'),
    })
    assert.deepEqual([hook.status, pointersOf(hook)], [422, [['/filter/value', 'not_allowed']]])
  })

  test('binds a cursor to the operator', async () => {
    const { test, ada, grace } = await inbox()
    const { next_cursor } = succeeded(await test.get('/v1/conversations?unread=me&limit=1', as(ada)))
    const next = `/v1/conversations?unread=me&limit=1&cursor=${next_cursor}`
    succeeded(await test.get(next, as(ada)))
    assert.equal((await test.get(next, as(grace))).body.code, 'cursor_mismatch')
  })
})

describe('on the stream', () => {
  test('a mark that moved reaches the operator alone, as it is', async () => {
    const { test, ada, grace, id } = await desk()
    const headers = { authorization: `Bearer ${test.key}` }
    const [own, other] = [
      await followEphemeral(api.url, { ...headers, ...as(ada) }),
      await followEphemeral(api.url, { ...headers, ...as(grace) }),
    ]
    const state = succeeded(await read(test, ada, id, { up_to_sequence: 2 }))
    succeeded(await read(test, ada, id, { up_to_sequence: 1 }))
    await until('it arrives', async () => own.named('read_state').length > 0)
    const last = succeeded(await unread(test, ada, id, { from_sequence: 1 }))
    await until('the last one arrives', async () => own.named('read_state').length > 1)
    assert.deepEqual(own.named('read_state'), [state, last])
    assert.deepEqual(other.named('read_state'), [])
  })

  test('reaches the console', async () => {
    const world = await api.world()
    const ada = await signedIn(api, world, 'agent')
    const { id } = await conversation(world.test)
    await say(world.test, id, 'end_user')
    const stream = await followEphemeral(api.url, { cookie: ada.cookie, 'backline-console': 'test' })
    const state = succeeded(await ada.send('POST', `/v1/conversations/${id}/mark_read`))
    await until('it arrives', async () => stream.named('read_state').length > 0)
    assert.deepEqual(stream.named('read_state'), [state])
    const path = `/v1/conversations?include=read_state`
    assert.deepEqual(succeeded(await ada.send('GET', path)).data[0].read_state, state)
  })
})
