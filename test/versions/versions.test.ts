import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { addRoutes, removeRoute, renameField } from '@backline/server/platform/versions/changes.ts'
import { showEventIn, versionOf } from '@backline/server/platform/versions/version.ts'
import { type Body, succeeded } from '../desk.ts'
import { type Answer, type Client, service } from '../harness.ts'
import { bothVersions } from './both-versions.ts'
import { v2 } from './v2-example.ts'

describe('a second version', () => {
  const server = service({ versions: bothVersions() })
  let client: Client

  before(async () => {
    client = (await server.world()).test
  })

  const post = async (path: string, body?: object): Promise<Body> => succeeded(await client.post(path, body))
  const get = async (path: string): Promise<Body> => succeeded(await client.get(path))
  const newConversation = (fields: object = {}) =>
    post('/v2/conversations', { external_user_id: 'user_42', title: 'Card declined', ...fields })
  const newOperator = (fields: object = {}) =>
    post('/v2/operators', {
      given_name: 'Ada',
      family_name: 'Lovelace',
      email: `${randomUUID()}@example.com`,
      ...fields,
    })

  function assertInvalid({ status, body, text }: Answer, errors: object[]): void {
    assert.equal(status, 422, text)
    assert.equal(body.code, 'validation_failed')
    assert.deepEqual(
      // without the list of fields that there are
      body.errors.map(({ pointer, detail }: Body) => ({
        pointer,
        detail: detail.replace(/, which has [^;]*/, ''),
      })),
      errors,
    )
  }

  describe('with a renamed field', () => {
    test('v1 shows what v2 created, and v2 what v1 created', async () => {
      const newer = await newConversation()
      const { title, ...rest } = newer
      assert.equal(title, 'Card declined')
      assert.deepEqual(await get(`/v1/conversations/${newer.id}`), { ...rest, subject: title })

      const older = await post('/v1/conversations', { external_user_id: 'user_42', subject: 'Refund' })
      const { subject, ...others } = older
      assert.deepEqual(await get(`/v2/conversations/${older.id}`), { ...others, title: subject })
    })

    test('a PATCH of either version changes the field for both', async () => {
      const { id } = await newConversation()
      const titles = async () => [
        (await get(`/v2/conversations/${id}`)).title,
        (await get(`/v1/conversations/${id}`)).subject,
      ]
      succeeded(await client.patch(`/v2/conversations/${id}`, { title: 'Card stolen' }))
      assert.deepEqual(await titles(), ['Card stolen', 'Card stolen'])
      succeeded(await client.patch(`/v1/conversations/${id}`, { subject: 'Card found' }))
      assert.deepEqual(await titles(), ['Card found', 'Card found'])
      succeeded(await client.patch(`/v2/conversations/${id}`, { title: null }))
      assert.deepEqual(await titles(), [null, null])
      succeeded(await client.patch(`/v2/conversations/${id}`, { priority: 'high' }))
      assert.deepEqual(await titles(), [null, null])
    })

    test('each version refuses the field of the other; v2 suggests its own', async () => {
      const { id } = await newConversation()
      const detail = 'is not a field of this request; did you mean title?'
      for (const answer of [
        await client.post('/v2/conversations', { external_user_id: 'user_42', subject: 'x' }),
        await client.patch(`/v2/conversations/${id}`, { subject: 'x' }),
      ])
        assertInvalid(answer, [{ pointer: '/subject', detail }])
      assertInvalid(await client.patch(`/v1/conversations/${id}`, { title: 'x' }), [
        { pointer: '/title', detail: 'is not a field of this request' },
      ])
    })

    test('errors of the field name it as the client does', async () => {
      const title = 'x'.repeat(256)
      assertInvalid(await client.post('/v2/conversations', { external_user_id: 'user_42', title }), [
        { pointer: '/title', detail: 'must have at most 255 characters' },
      ])
    })

    test('conversations within other objects have it', async () => {
      const { id } = await newConversation()
      const actions = [{ type: 'set_priority', priority: 'low' }]
      const macro = await post('/v2/macros', { name: randomUUID(), actions })
      for (const action of ['preview', 'apply']) {
        const { conversation } = await post(`/v2/macros/${macro.id}/${action}`, { conversation_id: id })
        assert.equal(conversation.title, 'Card declined')
        assert.ok(!('subject' in conversation))
      }
    })

    test('actions answer with it: resolve, merge', async () => {
      const { id } = await newConversation()
      const target = await newConversation({ title: 'Another' })
      assert.equal((await post(`/v2/conversations/${id}/resolve`)).title, 'Card declined')
      const merged = await post(`/v2/conversations/${id}/merge`, { into_id: target.id })
      assert.deepEqual([merged.title, merged.merged_into_id], ['Card declined', target.id])
    })

    test('data of the client that looks like a conversation stays as it is', async () => {
      const metadata = { object: 'conversation', subject: 'mine' }
      const created = await newConversation({ metadata })
      assert.deepEqual(created.metadata, metadata)
      const list = await get(`/v2/events?resource_id=${created.id}`)
      assert.deepEqual(list.data[0].data.object.metadata, metadata)
    })
  })

  describe('with a field that is split', () => {
    test('v1 shows the joined names, and v2 splits what v1 wrote, for every name', async () => {
      const { id, given_name, family_name } = await newOperator()
      assert.deepEqual([given_name, family_name], ['Ada', 'Lovelace'])
      assert.equal((await get(`/v1/operators/${id}`)).name, 'Ada Lovelace')
      for (const name of ['Plato', 'Vincent van Gogh', 'Ada  Byron', ' Ada', 'Ada ']) {
        succeeded(await client.patch(`/v1/operators/${id}`, { name }))
        const shown = await get(`/v2/operators/${id}`)
        assert.ok(!('name' in shown))
        const joined =
          shown.family_name === null ? shown.given_name : `${shown.given_name} ${shown.family_name}`
        assert.equal(joined, name)
      }
    })

    test('a PATCH of one name keeps the other', async () => {
      const { id } = await newOperator()
      const patch = async (body: object) => succeeded(await client.patch(`/v2/operators/${id}`, body))
      const given = await patch({ given_name: 'Augusta' })
      assert.deepEqual([given.given_name, given.family_name], ['Augusta', 'Lovelace'])
      assert.equal((await patch({ family_name: 'King of Lovelace' })).given_name, 'Augusta')
      assert.equal((await get(`/v1/operators/${id}`)).name, 'Augusta King of Lovelace')
      assert.equal((await patch({ role: 'lead' })).family_name, 'King of Lovelace')
      assert.equal((await patch({ family_name: null })).family_name, null)
      assert.equal((await get(`/v1/operators/${id}`)).name, 'Augusta')
    })

    test('concurrent PATCHes of both names keep both', async () => {
      const { id } = await newOperator()
      const path = `/v2/operators/${id}`
      for (const answer of await Promise.all([
        client.patch(path, { given_name: 'Augusta' }),
        client.patch(path, { family_name: 'King' }),
      ]))
        succeeded(answer)
      assert.equal((await get(`/v1/operators/${id}`)).name, 'Augusta King')
    })

    test('a PATCH with a stale If-Match fails, and one of an unknown operator is 404', async () => {
      const { id } = await newOperator()
      const body = { given_name: 'Augusta' }
      const stale = await client.patch(`/v2/operators/${id}`, body, { 'if-match': '"9"' })
      assert.equal(stale.status, 412)
      assert.equal(stale.headers.get('etag'), '"1"')
      const unknown = `${id.slice(0, -4)}0000`
      assert.equal((await client.patch(`/v2/operators/${unknown}`, body)).status, 404)
    })

    test('errors name the newer fields, also those that only v1 detects', async () => {
      const { email, id } = await newOperator()
      assertInvalid(await client.post('/v2/operators', { name: 'Ada', email: 'other@example.com' }), [
        { pointer: '/given_name', detail: 'is required' },
        {
          pointer: '/name',
          detail: 'is not a field of this request; did you mean given_name and family_name?',
        },
      ])
      const spaced = { given_name: 'Ada Augusta', family_name: 7 }
      assertInvalid(await client.patch(`/v2/operators/${id}`, spaced), [
        { pointer: '/given_name', detail: 'must have another form, for example Ada' },
        { pointer: '/family_name', detail: 'must be a string or null' },
      ])
      assertInvalid(await client.patch(`/v2/operators/${id}`, { family_name: 'x'.repeat(98) }), [
        { pointer: '/given_name', detail: 'must have at most 100 characters' },
      ])
      const taken = await client.post('/v2/operators', { given_name: 'Eve', email })
      assert.equal(taken.status, 409)
      assert.deepEqual(taken.body.params, { id, field: 'email' })
    })

    test('lists are sorted by the first of the newer fields, and filters and cursors work', async () => {
      const { test: own } = await server.world()
      for (const given_name of ['Cleo', 'Ada', 'Ben'])
        succeeded(await own.post('/v2/operators', { given_name, email: `${given_name}@example.com` }))
      const seen: string[] = []
      let next: string | null = '/v2/operators?sort=given_name&limit=1'
      while (next !== null) {
        const answer: Answer = await own.get(next)
        seen.push(...succeeded(answer).data.map((each: Body) => each.given_name))
        const link: string | undefined = answer.headers.get('link')?.match(/<([^>]+)>/)?.[1]
        next = link === undefined ? null : link.slice(link.indexOf('/v2/'))
      }
      assert.deepEqual(seen, ['Ada', 'Ben', 'Cleo'])
      const filtered = await own.get('/v2/operators?email=ben@example.com&include=total')
      assert.deepEqual([filtered.body.total, filtered.body.data[0].given_name], [1, 'Ben'])
      const older = await own.get('/v2/operators?sort=name')
      assert.deepEqual([older.status, older.body.errors[0].parameter], [400, 'sort'])
    })

    test('a cursor of v1 is not one of v2', async () => {
      await newOperator()
      await newOperator()
      const { next_cursor } = await get('/v1/operators?limit=1')
      const answer = await client.get(`/v2/operators?limit=1&cursor=${next_cursor}`)
      assert.deepEqual([answer.status, answer.body.code], [400, 'cursor_mismatch'])
    })
  })

  test('an added route shows objects in the newer form, and v1 does not have it', async () => {
    const writer = await newOperator({ given_name: 'Grace', family_name: 'Hopper' })
    const assignee = await newOperator()
    const { id } = await newConversation({ assignee_id: assignee.id })
    const message = { author_side: 'operator', body: 'Hello' }
    succeeded(
      await client.post(`/v2/conversations/${id}/messages`, message, { 'backline-operator': writer.id }),
    )
    const path = `conversations/${id}/participants`
    const { data, total } = await get(`/v2/${path}?sort=given_name&include=total`)
    assert.deepEqual(
      data.map((each: Body) => each.family_name),
      ['Lovelace', 'Hopper'],
    )
    assert.equal(total, 2)
    assert.equal((await client.get(`/v1/${path}`)).status, 404)
    assert.equal((await client.get(`/v2/${path.replace(id, `${id.slice(0, -4)}0000`)}`)).status, 404)
  })

  test('a replay on v2 answers in the form of v2; the same key on v1 is another request', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const first = await client.post('/v2/conversations', { external_user_id: 'u', title: 'Once' }, key)
    const again = await client.post('/v2/conversations', { external_user_id: 'u', title: 'Once' }, key)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('location'), `/v2/conversations/${first.body.id}`)
    const older = await client.post('/v1/conversations', { external_user_id: 'u', subject: 'Once' }, key)
    assert.deepEqual([older.status, older.body.code], [422, 'idempotency_key_reused'])
  })

  test('both versions have the same ETag, and If-Match holds across them', async () => {
    const { id } = await newConversation()
    const [older, newer] = [
      await client.get(`/v1/conversations/${id}`),
      await client.get(`/v2/conversations/${id}`),
    ]
    const etag = newer.headers.get('etag')!
    assert.equal(older.headers.get('etag'), etag)
    assert.equal((await client.get(`/v2/conversations/${id}`, { 'if-none-match': etag })).status, 304)
    const match = { 'if-match': etag }
    succeeded(await client.patch(`/v1/conversations/${id}`, { subject: 'x' }, match))
    assert.equal((await client.patch(`/v2/conversations/${id}`, { title: 'y' }, match)).status, 412)
  })

  describe('events', () => {
    /** The events of an object as v1 and v2 list them. */
    const eventsOf = async (id: string): Promise<[Body[], Body[]]> => [
      (await get(`/v1/events?resource_id=${id}`)).data,
      (await get(`/v2/events?resource_id=${id}`)).data,
    ]

    test('a stored event has a form in each version, however it was written', async () => {
      const { id } = await newConversation()
      succeeded(await client.patch(`/v1/conversations/${id}`, { subject: 'Card stolen' }))
      const [older, newer] = await eventsOf(id)
      assert.deepEqual(older[1].data.previous, { ...older[1].data.previous, subject: 'Card declined' })
      assert.equal(older[1].data.object.subject, 'Card stolen')
      assert.equal(newer[1].data.previous.title, 'Card declined')
      assert.equal(newer[1].data.object.title, 'Card stolen')
      for (const { data } of newer) assert.ok(!('subject' in data.object) && !('subject' in data.previous))
      assert.deepEqual(
        older.map((event) => showEventIn(v2, event)),
        newer,
      )
      assert.deepEqual((await get(`/v2/conversations/${id}/timeline`)).data, newer)
    })

    test('only the parts that changed are among the previous values', async () => {
      const { id } = await newOperator()
      succeeded(await client.patch(`/v1/operators/${id}`, { name: 'Ada King' }))
      const [, newer] = await eventsOf(id)
      const { family_name, given_name } = newer[1].data.object
      assert.deepEqual([given_name, family_name], ['Ada', 'King'])
      assert.equal(newer[1].data.previous.family_name, 'Lovelace')
      assert.ok(!('given_name' in newer[1].data.previous) && !('name' in newer[1].data.previous))
    })

    test('the stream of v2 sends them, and resumes from a cursor of the list of v2', async () => {
      const { id } = await newConversation({ title: 'First' })
      const { resume_cursor } = await get(`/v2/events?resource_id=${id}`)
      succeeded(await client.patch(`/v2/conversations/${id}`, { title: 'One\u2028line' }))
      const stopped = new AbortController()
      const stream = await fetch(`${server.url}/v2/events/stream?resource_id=${id}&cursor=${resume_cursor}`, {
        headers: { authorization: `Bearer ${client.key}` },
        signal: stopped.signal,
      })
      let text = ''
      for await (const chunk of stream.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        if (/^data: [^\n]*\n/m.test(text)) break
      }
      stopped.abort()
      const { data } = JSON.parse(/^data: ([^\n]*)\n/m.exec(text)![1]!)
      assert.deepEqual([data.object.title, data.previous.title], ['One\u2028line', 'First'])
    })

    test('the examples of event types are in the form of the version', async () => {
      const { data } = await get('/v2/event_types?limit=100')
      const { example } = data.find(({ type }: Body) => type === 'conversation.created')
      assert.equal(example.data.object.title, 'Card declined')
      assert.ok(!('subject' in example.data.object))
    })
  })

  test('a filter and a unique field are renamed, by two changes one after the other', async () => {
    const changes = [
      renameField('operator', 'external_id', 'reference'),
      renameField('operator', 'reference', 'code'),
      renameField('operator', 'created_at', 'hired_at'),
    ]
    const other = (await server.another({ versions: bothVersions(changes) })).client(client.key)
    const { code, email, hired_at, id } = succeeded(
      await other.post('/v2/operators', { name: 'Ada', email: `${randomUUID()}@example.com`, code: 'op-7' }),
    )
    assert.equal(code, 'op-7')
    const older = await get(`/v1/operators/${id}`)
    assert.deepEqual([older.external_id, older.created_at], [code, hired_at])
    const found = await other.get('/v2/operators?code=op-7&sort=-hired_at')
    assert.deepEqual(
      succeeded(found).data.map((each: Body) => each.id),
      [id],
    )
    const unknown = await other.get('/v2/operators?external_id=op-7')
    assert.deepEqual([unknown.status, unknown.body.errors[0].parameter], [400, 'external_id'])
    const taken = await other.post('/v2/operators', { name: 'Eve', email: `x${email}`, code })
    assert.deepEqual(taken.body.params, { id, field: 'code' })
    assertInvalid(await other.patch(`/v2/operators/${id}`, { reference: 'op-8' }), [
      { pointer: '/reference', detail: 'is not a field of this request; did you mean code?' },
    ])
  })

  test('headers that announce the end of v1 are those of v1 alone', async () => {
    const other = await server.another({
      environment: { BACKLINE_V2_RELEASED_AT: '2020-01-01', BACKLINE_V1_RETIRES_AT: '2021-02-01' },
      versions: bothVersions(),
    })
    const own = other.client(client.key)
    assert.equal((await own.get('/v1/conversations')).status, 410)
    const newer = await own.get('/v2/conversations')
    assert.deepEqual([newer.status, newer.headers.get('sunset')], [200, null])
  })

  test('a server without a second version has no /v2', async () => {
    const other = await server.another({})
    for (const path of ['/v2', '/v2/conversations', '/v2/openapi.json'])
      assert.equal((await other.client(client.key).get(path)).status, 404)
  })

  test('a change of what does not exist fails when the version is declared', () => {
    const { resources } = server
    for (const change of [
      renameField('conversation', 'subjekt', 'title'),
      renameField('konversation', 'subject', 'title'),
      removeRoute('getKonversation'),
      addRoutes('konversations', []),
    ])
      assert.throws(() => versionOf(resources, [change]), /does not exist/)
    const names = versionOf(resources, [removeRoute('getConversation')]).flatMap(({ routes }) =>
      routes.map(({ name }) => name),
    )
    assert.ok(!names.includes('getConversation') && names.includes('updateConversation'))
  })
})
