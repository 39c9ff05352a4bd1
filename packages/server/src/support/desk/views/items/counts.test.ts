import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, operator, say, succeeded } from '@backline/test/desk.ts'
import { type Answer, type Client, service } from '@backline/test/harness.ts'
import { interceptHomes } from '@backline/test/intercept.ts'
import { until } from '@backline/test/processes.ts'
import { DatabaseUnavailable } from '../../../../platform/postgres/errors.ts'

const api = service({})

let made = 0
const view = async (client: Client, filter: object, fields: object = {}): Promise<string> =>
  succeeded(await client.post('/v1/views', { name: `View ${++made}`, filter, ...fields })).id
const status = (...value: string[]) => ({ field: 'status', op: 'in', value })
const open = status('new', 'open')
const mine = { field: 'assignee_id', op: 'is', value: 'me' }
const tagged = (value: string) => ({ field: 'tags', op: 'contains', value })
const due = { field: 'sla.due_at', op: 'exists', value: true }

const pathOf = (filters: unknown, query: Record<string, string> = {}) =>
  `/v1/views/counts?${new URLSearchParams({
    ...query,
    ...(filters === undefined
      ? {}
      : { filters: typeof filters === 'string' ? filters : JSON.stringify(filters) }),
  })}`
const countsOf = ({ data }: Body) => data.map((each: Body) => [each.name ?? each.view_id, each.count])
const counted = async (client: Client, filters: unknown, headers = {}) =>
  countsOf(succeeded(await client.get(pathOf(filters), headers)))
const faultsOf = ({ status: code, body }: Answer) => {
  assert.deepEqual([code, body.code], [400, 'invalid_query'])
  assert.ok(body.errors.every(({ parameter }: Body) => parameter === 'filters'))
  return body.errors.map((each: Body) => [each.pointer, each.code])
}

describe('counts of filters', () => {
  test('come after those of views, in the order given, by their names', async () => {
    const { test: client } = await api.world()
    for (const priority of ['high', 'high', 'low']) await conversation(client, { priority })
    const high = { field: 'priority', op: 'is', value: 'high' }
    const [one, other] = [await view(client, open), await view(client, high)]
    const text = `{"open": ${JSON.stringify(open)}, "10": ${JSON.stringify({ not: high })}, "2" : ${JSON.stringify(high)}}`
    const both = succeeded(await client.get(pathOf(text, { ids: `${other},${one}` })))
    assert.deepEqual(countsOf(both), [
      [other, 2],
      [one, 3],
      ['open', 3],
      ['10', 1],
      ['2', 2],
    ])
    assert.deepEqual(both.data[0], {
      ...{ object: 'view_count', view_id: other, name: null },
      ...{ count: 2, more: false, broken: null },
    })
    assert.deepEqual(both.data.at(-1), {
      ...{ object: 'view_count', view_id: null, name: '2' },
      ...{ count: 2, more: false, broken: null },
    })
    const { data } = succeeded(await client.get(pathOf(text)))
    assert.deepEqual(data, both.data.slice(2))
    const paged = succeeded(
      await client.get(pathOf(text, { ids: `${other},${one}`, limit: '3', include: 'total' })),
    )
    assert.deepEqual([paged.data, paged.has_more, paged.total], [both.data.slice(0, 3), true, 5])
    const rest = await client.get(
      pathOf(text, { ids: `${other},${one}`, limit: '3', cursor: paged.next_cursor }),
    )
    assert.deepEqual(succeeded(rest).data, both.data.slice(3))
    assert.deepEqual(succeeded(await client.get(pathOf({}))).data, [])
    const all = succeeded(await client.get('/v1/views/counts'))
    assert.deepEqual(
      countsOf(all).toSorted(),
      [
        [one, 3],
        [other, 2],
      ].toSorted(),
    )
  })

  test('of 50 views and 20 filters are one page', async () => {
    const { test: client } = await api.world()
    const ids = []
    for (let i = 0; i < 50; i++) ids.push(await view(client, open))
    const filters = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, open]))
    const { data, has_more } = succeeded(await client.get(pathOf(filters, { ids: ids.join() })))
    assert.deepEqual([data.length, has_more], [70, false])
  })

  test('with me are of the operator, and need one', async () => {
    const { test: client } = await api.world()
    const [ada, ben] = [await operator(client), await operator(client)]
    const { id } = await conversation(client)
    await act(client, id, 'assign', { assignee_id: ada })
    const by = (id: string) => ({ 'backline-operator': id })
    assert.deepEqual(await counted(client, { mine }, by(ada)), [['mine', 1]])
    assert.deepEqual(await counted(client, { mine }, by(ben)), [['mine', 0]])
    assert.deepEqual(faultsOf(await client.get(pathOf({ mine }))), [['/mine/value', 'not_allowed']])
  })

  test('with faults are refused, with the pointer of each', async () => {
    const { test: client } = await api.world()
    const refused = async (filters: unknown) => faultsOf(await client.get(pathOf(filters)))
    const wrong = {
      all: [
        { field: 'nothing', op: 'is', value: 1 },
        { field: 'status', op: 'is', value: 'x' },
      ],
    }
    assert.deepEqual(
      await refused({ 'Not a name': open, wrong, other: 7, ok: open, '': open, [`a`.repeat(41)]: open }),
      [
        ['/Not a name', 'bad_format'],
        ['/wrong/all/0/field', 'unknown_field'],
        ['/wrong/all/1/value', 'not_allowed'],
        ['/other', 'wrong_type'],
        ['/', 'bad_format'],
        [`/${'a'.repeat(41)}`, 'bad_format'],
      ],
    )
    assert.deepEqual(await refused({ 'a/b': open }), [['/a~1b', 'bad_format']])
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${i}`, open]))
    assert.deepEqual(await refused(many), [['', 'too_long']])
    assert.deepEqual(await refused('{"a": '), [['', 'bad_format']])
    for (const other of ['[]', 'null', '"a"', '1'])
      assert.deepEqual(await refused(other), [['', 'wrong_type']])
    const twice = `{"a":${JSON.stringify(open)},"a":${JSON.stringify(open)}}`
    assert.deepEqual(await refused(twice), [['', 'bad_format']])
    const padded = JSON.stringify({ a: { field: 'subject', op: 'is', value: 'ä' } }).padEnd(4095)
    assert.deepEqual(await counted(client, padded), [['a', 0]]) // 4,096 bytes
    assert.deepEqual(await refused(`${padded} `), [['', 'too_long']])
    const characters = await client.get(pathOf(JSON.stringify({ a: open }).padEnd(4097)))
    assert.deepEqual(
      [characters.status, characters.body.errors[0].parameter, characters.body.errors[0].code],
      [400, 'filters', 'too_long'],
    )
  })

  test('need the right to read conversations, and whatever else they compare', async () => {
    const world = await api.world()
    const address = { field: 'end_user.email', op: 'is', value: 'a@example.com' }
    const reader = await world.withScopes('views:read')
    const missing = await reader.get(pathOf({ open }))
    assert.deepEqual([missing.status, missing.body.code], [403, 'scope_missing'])
    const desk = await world.withScopes('views:read', 'conversations:read')
    assert.deepEqual(await counted(desk, { open }), [['open', 0]])
    const person = await desk.get(pathOf({ open, address }))
    assert.deepEqual([person.status, person.body.code], [403, 'scope_missing'])
  })
})

describe('as_of', () => {
  test('is the moment of all numbers, from which the feed continues', async () => {
    const { test: client } = await api.world()
    await conversation(client)
    const { as_of } = succeeded(await client.get(pathOf({ open })))
    const { id } = await conversation(client)
    const { data } = succeeded(
      await client.get(`/v1/events?types=conversation.*&cursor=${as_of.feed_cursor}`),
    )
    assert.deepEqual(
      data.map(({ type, resource }: Body) => [type, resource.id]),
      [['conversation.created', id]],
    )
    assert.ok(as_of.at < data[0].created_at, as_of.at)
  })

  test('is one while conversations move between the counts', async () => {
    const { test: client } = await api.world()
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await conversation(client)).id))
    let isOver = false
    const moving = ids.map(async (id) => {
      while (!isOver) for (const action of ['resolve', 'reopen']) await act(client, id, action)
    })
    const filters = {
      first: status('new', 'open', 'pending', 'on_hold'),
      tagged: { not: tagged('none') },
      second: { all: [status('resolved', 'closed'), { field: 'message_count', op: 'gte', value: 0 }] },
      also_first: { not: status('resolved', 'closed') },
    }
    const sums: number[][] = []
    for (let i = 0; i < 20; i++) {
      const numbers = (await counted(client, filters)).map(([, count]: [string, number]) => count)
      sums.push([numbers[0] + numbers[2], numbers[1], numbers[0] - numbers[3]])
    }
    isOver = true
    await Promise.all(moving)
    assert.deepEqual(sums, Array(20).fill([8, 8, 0]))
  })

  test('is not before the request: it has what was written before', async () => {
    const { test: client } = await api.world()
    for (let i = 1; i <= 10; i++) {
      await conversation(client)
      const all = await Promise.all(Array.from({ length: 3 }, () => counted(client, { open })))
      assert.deepEqual(all, Array(3).fill([['open', i]]))
    }
  })
})

describe('the ETag of counts', () => {
  const tagOf = ({ headers }: Answer) => headers.get('etag')!
  const again = (client: Client, path: string, tag: string, headers = {}) =>
    client.get(path, { 'if-none-match': tag, ...headers })

  test('is weak, and the answer 304 until something was changed', async () => {
    const { test: client } = await api.world()
    const { id } = await conversation(client)
    const named = await view(client, open)
    const path = pathOf({ open, due }, { ids: named })
    const first = await client.get(path)
    const tag = tagOf(first)
    assert.match(tag, /^W\/"[\w-]+"$/)
    for (const sent of [tag, `"other", ${tag}`, '*']) {
      const unchanged = await again(client, path, sent)
      assert.deepEqual([unchanged.status, unchanged.text, tagOf(unchanged)], [304, '', tag])
    }
    assert.equal((await again(client, path, '"other"')).status, 200)
    await say(client, id, 'end_user')
    const changed = await again(client, path, tag)
    assert.equal(changed.status, 200)
    assert.notEqual(tagOf(changed), tag)
    succeeded(await client.patch(`/v1/views/${named}`, { filter: status('closed') }))
    const other = await again(client, path, tagOf(changed))
    assert.deepEqual(countsOf(succeeded(other))[0], [named, 0])
  })

  test('is that of the query and the operator', async () => {
    const { test: client } = await api.world()
    const operators = [await operator(client), await operator(client)]
    const answers = []
    for (const id of [...operators, undefined])
      for (const filters of [{ open }, { a: open }])
        answers.push(await client.get(pathOf(filters), id ? { 'backline-operator': id } : {}))
    const tags = new Set(answers.map(tagOf))
    assert.equal(tags.size, answers.length)
    const refused = await again(client, pathOf({ open }), tagOf(answers[0]!), {
      'backline-operator': operators[1]!,
    })
    assert.equal(refused.status, 200)
  })

  test('ends when a time in a filter has passed, and with a number that time changes', async () => {
    const { test: client } = await api.world()
    const { created_at } = await conversation(client)
    const later = new Date(Date.parse(created_at) + 3_600_000).toISOString()
    const paths = {
      named: pathOf({ a: { field: 'created_at', op: 'lt', value: later } }),
      within: pathOf({ a: { field: 'created_at', op: 'within', value: '-PT2H' } }),
      timeless: pathOf({ a: open }),
    }
    const tags = Object.fromEntries(
      await Promise.all(
        Object.entries(paths).map(async ([name, path]) => [name, tagOf(await client.get(path))]),
      ),
    )
    const statuses = async () =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(paths).map(async ([name, path]) => [
            name,
            (await again(client, path, tags[name]!)).status,
          ]),
        ),
      )
    assert.deepEqual(await statuses(), { named: 304, within: 304, timeless: 304 })
    api.advance(3_000)
    assert.deepEqual(await statuses(), { named: 304, within: 304, timeless: 304 })
    api.advance(1_000)
    assert.deepEqual(await statuses(), { named: 200, within: 304, timeless: 304 })
    api.advance(4_000)
    assert.deepEqual(await statuses(), { named: 200, within: 200, timeless: 304 })
  })

  test('ends with what changes without an event', async () => {
    const { test: client } = await api.world()
    const filter = { field: 'last_seen_at', op: 'exists', value: true }
    const path = pathOf(undefined, { ids: await view(client, filter, { applies_to: 'end_user' }) })
    const session = succeeded(await client.post('/v1/end_user_sessions', { external_user_id: 'anna' }))
    const first = await client.get(path)
    assert.equal((await again(client, path, tagOf(first))).status, 304)
    const headers = { authorization: `Bearer ${session.token}` }
    assert.equal((await fetch(`${api.url}/v1/me`, { headers })).status, 200)
    await until('it is seen', async () => (await again(client, path, tagOf(first))).status === 200)
  })
})

describe('askers of the same counts', () => {
  /** Calls `run` while a first counting waits; returns the statements of the countings, one list for each. */
  async function countings(
    run: (found: readonly number[], release: () => void) => Promise<void>,
  ): Promise<number[]> {
    const found: number[] = []
    const gate = Promise.withResolvers<void>()
    const restore = interceptHomes(api.db, (own) => ({
      async atOneMoment(read) {
        const place = found.push(0) - 1
        if (place === 0) await gate.promise
        return own.atOneMoment((db) => {
          const counting =
            <Query extends unknown[], Found>(send: (...query: Query) => Found) =>
            (...query: Query): Found => {
              found[place]!++
              return send(...query)
            }
          return read({
            ...db,
            slowRows: counting(db.slowRows),
            rowsWithin: counting(db.rowsWithin),
          } as typeof db)
        })
      },
    }))
    try {
      await run(found, gate.resolve)
    } finally {
      gate.resolve()
      restore()
    }
    return found
  }

  test('whose numbers are unchanged cost none', async () => {
    const { test: client } = await api.world()
    const tag = (await client.get(pathOf({ open }))).headers.get('etag')!
    const found = await countings(async (_, release) => {
      release()
      assert.equal((await client.get(pathOf({ open }), { 'if-none-match': tag })).status, 304)
    })
    assert.deepEqual(found, [])
  })

  test('share one counting, that of others begins after they have asked', async () => {
    const { test: client } = await api.world()
    await conversation(client)
    const [ada, ben] = [await operator(client), await operator(client)]
    const filters = { open, closed: status('closed'), mine }
    const by = (id: string) => ({ 'backline-operator': id })
    const found = await countings(async (found, release) => {
      const first = counted(client, filters, by(ada))
      await until('it counts', async () => found.length === 1)
      const others = Array.from({ length: 12 }, (_, i) => counted(client, filters, by(i % 2 ? ben : ada)))
      await conversation(client)
      release()
      await first
      for (const other of await Promise.all(others))
        assert.deepEqual(
          other.map(([name]: string[]) => name),
          ['open', 'closed', 'mine'],
        )
    })
    assert.equal(found[0], 3)
    assert.ok(found.length <= 3, `${found.length} countings for 13 requests`)
    // Of all filters, only one differs between operators.
    assert.ok(
      found.slice(1).every((statements) => statements <= 4),
      found.join(),
    )
  })

  test('are not failed for ever by a counting that failed', async () => {
    const { test: client } = await api.world()
    const restore = interceptHomes(api.db, () => ({
      atOneMoment: () => Promise.reject(new DatabaseUnavailable('on purpose')),
    }))
    const answers = await Promise.all([1, 2].map(() => client.get(pathOf({ open }))))
    restore()
    assert.deepEqual(
      answers.map(({ status }) => status),
      [503, 503],
    )
    assert.deepEqual(await counted(client, { open }), [['open', 0]])
  })
})
