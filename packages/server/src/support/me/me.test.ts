import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { act, type Body, operator, say, succeeded } from '@backline/test/desk.ts'
import {
  conversationsPath,
  join,
  messagesOf,
  mine,
  plain,
  sessionOf,
  someone,
  start,
  write,
} from '@backline/test/end-users.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { sql } from '../../platform/postgres/sql.ts'

const api = service()
let world: World

describe('/v1/me', () => {
  before(async () => {
    world = await api.world()
  })

  test('shows and changes the end user of the token, and nothing that others say about the person', async () => {
    const grace = await someone(api, world, {
      name: 'Grace',
      emails: [{ address: 'grace@example.com' }],
      metadata: { internal: 'yes' },
    })
    const expected = {
      id: grace.id,
      object: 'end_user',
      external_id: grace.externalId,
      name: 'Grace',
      email: 'grace@example.com',
      verified: false,
      language: null,
      timezone: null,
      unread_count: 0,
      custom_fields: {},
    }
    assert.deepEqual(succeeded(await grace.get('/v1/me')), expected)
    const patch = { name: 'Grace Hopper', language: 'en', timezone: 'America/New_York' }
    assert.deepEqual(succeeded(await grace.patch('/v1/me', patch)), { ...expected, ...patch })
    const wrong = await grace.patch('/v1/me', { timezone: 'Moon', language: 'no language', emails: [] })
    assert.deepEqual(wrong.body.errors.map(({ pointer }: Body) => pointer).toSorted(), [
      '/emails',
      '/language',
      '/timezone',
    ])
  })

  test('a new conversation is open, on the channel chat, from the end user, with events of the end user', async () => {
    const grace = await someone(api, world, { name: 'Grace' })
    const made = await start(grace, { subject: 'Card' })
    assert.partialDeepStrictEqual(made, {
      subject: 'Card',
      status: 'open',
      channel: 'chat',
      assignee: null,
      unread_count: 0,
      last_message: {
        author: { side: 'me', name: 'Grace' },
        body: 'My card was declined.',
        attachments: [],
      },
    })
    assert.equal(made.last_message_at, made.last_message.created_at)
    assert.deepEqual(await mine(grace, made.id), made)
    const shown = succeeded(await world.test.get(`/v1/conversations/${made.id}`))
    assert.partialDeepStrictEqual(shown, { end_user_id: grace.id, initiated_by_side: 'end_user' })
    const { data } = succeeded(await world.test.get(`/v1/conversations/${made.id}/timeline`))
    for (const { actor } of data)
      assert.deepEqual(actor, { type: 'end_user', id: grace.id, operator_id: null })
  })

  test('conversations of others are unknown, in the same words as those that do not exist', async () => {
    const [grace, ada] = [await someone(api, world), await someone(api, world)]
    const { id } = await start(ada)
    const bound = await sessionOf(api, world, ada.id, { conversation_id: (await start(ada)).id })
    const none = 'conv_00000000000000000000000000'
    for (const client of [grace, bound])
      for (const ask of [
        (id: string) => client.get(`${conversationsPath}/${id}`),
        (id: string) => client.get(`${conversationsPath}/${id}/messages`),
        (id: string) => client.post(`${conversationsPath}/${id}/messages`, { body: 'x' }),
        (id: string) => client.post(`${conversationsPath}/${id}/read`, {}),
        (id: string) => client.post(`${conversationsPath}/${id}/resolve`),
        (id: string) => client.put(`${conversationsPath}/${id}/typing`, { typing: true }),
      ]) {
        const answer = await ask(id)
        assert.equal(answer.status, 404)
        assert.deepEqual(plain(answer), plain(await ask(none)))
      }
    assert.deepEqual(succeeded(await grace.get(conversationsPath)).data, [])
  })

  test('a participant sees and writes as itself; each sees the others as participants', async () => {
    const [grace, ada] = [
      await someone(api, world, { name: 'Grace' }),
      await someone(api, world, { name: 'Ada' }),
    ]
    const { id } = await start(grace)
    await join(world, id, ada)
    const written = await write(ada, id, { body: 'Me too.' })
    assert.deepEqual(written.author, { side: 'me', name: 'Ada' })
    const authors = async (client: Client) => (await messagesOf(client, id)).map(({ author }) => author)
    assert.deepEqual(await authors(grace), [
      { side: 'me', name: 'Grace' },
      { side: 'participant', name: 'Ada' },
    ])
    assert.deepEqual(await authors(ada), [
      { side: 'participant', name: 'Grace' },
      { side: 'me', name: 'Ada' },
    ])
    const [listed] = succeeded(await ada.get(conversationsPath)).data
    assert.deepEqual(listed, await mine(ada, id))
    await say(world.test, id, 'operator')
    assert.equal((await mine(grace, id)).unread_count, 1)
    const read = succeeded(await ada.post(`${conversationsPath}/${id}/read`, {}))
    assert.equal(read.unread_count, 0)
    assert.equal((await mine(grace, id)).unread_count, 1)
    succeeded(await world.test.delete(`/v1/conversations/${id}/participants/${ada.id}`))
    assert.equal((await ada.get(`${conversationsPath}/${id}`)).status, 404)
  })

  test('after a merge, conversations and messages of both are one person’s, by tokens of both', async () => {
    const [grace, ada] = [await someone(api, world, { name: 'Grace' }), await someone(api, world)]
    const [one, other] = [await start(grace), await start(ada)]
    await join(world, one.id, ada)
    await write(ada, one.id)
    const merge = { into_id: grace.id, keep_alias: true }
    succeeded(await world.test.post(`/v1/end_users/${ada.id}/merge`, merge))
    for (const client of [grace, ada]) {
      const { data, total } = succeeded(await client.get(`${conversationsPath}?include=total`))
      assert.deepEqual(
        data.map(({ id }: Body) => id),
        [other.id, one.id],
      )
      assert.equal(total, 2)
      for (const { author } of await messagesOf(client, one.id))
        assert.deepEqual(author, { side: 'me', name: 'Grace' })
      assert.equal((await write(client, other.id)).author.side, 'me')
    }
  })

  test('a session that is bound to a conversation sees only that one, and starts no other', async () => {
    const grace = await someone(api, world)
    const [first, second] = [await start(grace), await start(grace)]
    for (const { id } of [first, second]) await say(world.test, id, 'operator')
    const bound = await sessionOf(api, world, grace.id, { conversation_id: first.id })
    const { data, total } = succeeded(await bound.get(`${conversationsPath}?include=total`))
    assert.deepEqual([data.map(({ id }: Body) => id), total], [[first.id], 1])
    assert.equal((await bound.get(`${conversationsPath}/${second.id}`)).status, 404)
    assert.equal(succeeded(await bound.get('/v1/me')).unread_count, 1)
    assert.equal(succeeded(await grace.get('/v1/me')).unread_count, 2)
    const refused = await bound.post(conversationsPath, { message: { body: 'x' } })
    assert.deepEqual([refused.status, refused.body.code], [403, 'scope_missing'])
    await write(bound, first.id)
    await act(world.test, first.id, 'close')
    const followed = await bound.post(`${conversationsPath}/${first.id}/messages`, {
      body: 'x',
      on_closed: 'follow_up',
    })
    assert.equal(followed.body.code, 'scope_missing')
  })

  test('lists pages in both orders, with cursors that nobody else can use', async () => {
    const [grace, ada] = [await someone(api, world), await someone(api, world)]
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await start(i % 2 ? ada : grace)).id)
    for (const id of ids) await join(world, id, grace)
    for (const [sort, expected] of [
      ['created_at', ids],
      ['-created_at', ids.toReversed()],
    ] as const) {
      const seen: string[] = []
      let cursor = ''
      do {
        const page: Body = succeeded(await grace.get(`${conversationsPath}?limit=2&sort=${sort}${cursor}`))
        seen.push(...page.data.map(({ id }: Body) => id))
        cursor = page.has_more ? `&cursor=${page.next_cursor}` : ''
        if (page.has_more) {
          const taken = await ada.get(`${conversationsPath}?limit=2&sort=${sort}${cursor}`)
          assert.equal(taken.body.code, 'cursor_mismatch')
        }
      } while (cursor)
      assert.deepEqual(seen, expected)
    }
  })

  test('internal notes are in no list and count, and move no time and no version', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    await say(world.test, id, 'operator', { body: 'Answer' })
    const before = await mine(grace, id)
    const note = await say(world.test, id, 'operator', { visibility: 'internal', body: 'Secret' })
    assert.deepEqual(await mine(grace, id), before)
    assert.deepEqual(succeeded(await grace.get(conversationsPath)).data, [before])
    const page = succeeded(await grace.get(`${conversationsPath}/${id}/messages?include=total`))
    assert.deepEqual([page.data.length, page.total], [2, 2])
    assert.equal((await write(grace, id)).sequence, 4)
    const reply = await grace.post(`${conversationsPath}/${id}/messages`, {
      body: 'x',
      in_reply_to_id: note.id,
    })
    const unknown = await grace.post(`${conversationsPath}/${id}/messages`, {
      body: 'x',
      in_reply_to_id: 'msg_00000000000000000000000000',
    })
    assert.equal(reply.body.errors[0].code, 'not_found')
    assert.deepEqual(plain(reply), plain(unknown))
    const probe = await grace.post(`${conversationsPath}/${id}/read`, {}, { 'if-match': '"1"' })
    assert.equal(probe.status, 200)
    assert.equal(probe.headers.has('etag'), false)
    const tag = (await grace.get(`${conversationsPath}/${id}`)).headers.get('etag')!
    assert.match(tag, /^"[\w-]{22}"$/)
    const again = await grace.get(`${conversationsPath}/${id}`, { 'if-none-match': tag })
    assert.equal(again.status, 304)
  })

  test('read marks beyond the last message are those of the last message', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    for (let i = 0; i < 3; i++) await say(world.test, id, 'operator')
    await say(world.test, id, 'operator', { visibility: 'internal' })
    const unread = async (body: object) =>
      succeeded(await grace.post(`${conversationsPath}/${id}/read`, body)).unread_count
    assert.equal(await unread({ up_to_sequence: 2 }), 2)
    assert.equal(await unread({ up_to_sequence: 1 }), 2)
    assert.equal(await unread({ up_to_sequence: 2_000_000 }), 0)
    await say(world.test, id, 'operator')
    assert.equal(succeeded(await grace.get('/v1/me')).unread_count, 1)
    assert.equal(await unread({}), 0)
  })

  test('the assignee is a name', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    const name = `Katherine ${randomUUID()}`
    await act(world.test, id, 'assign', { assignee_id: await operator(world.test, { name }) })
    assert.deepEqual((await mine(grace, id)).assignee, { name })
  })

  test('messages from before end users are those of the end user of the conversation', async () => {
    const grace = await someone(api, world, { name: 'Grace' })
    const { id } = await start(grace)
    await api.db.write(sql`update messages set author_end_user_id = null
      where tenant_id = ${world.environments.test.tenantId}`)
    assert.deepEqual((await messagesOf(grace, id))[0].author, { side: 'me', name: 'Grace' })
  })
})
