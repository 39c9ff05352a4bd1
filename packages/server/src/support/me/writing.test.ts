import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { act, type Body, department, say, succeeded } from '@backline/test/desk.ts'
import {
  conversationsPath,
  messagesOf,
  mine,
  plain,
  sessionOf,
  someone,
  start,
  write,
} from '@backline/test/end-users.ts'
import { service, type World } from '@backline/test/harness.ts'
import { typeId } from '../../platform/kernel/ids.ts'
import { publicUrl } from '../../platform/kernel/public-url.ts'
import { sql } from '../../platform/postgres/sql.ts'

const api = service()
let world: World

describe('what end users write', () => {
  before(async () => {
    world = await api.world()
  })

  test('the status is what concerns the end user, and resolving needs the permission of the workspace', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    const status = async () => (await mine(grace, id)).status
    await say(world.test, id, 'operator')
    assert.equal(await status(), 'waiting_for_you')
    const refused = await grace.post(`${conversationsPath}/${id}/resolve`)
    assert.deepEqual([refused.status, refused.body.code], [403, 'not_permitted'])
    assert.deepEqual(refused.body.params, { setting: 'end_users_may_resolve' })
    succeeded(await world.test.patch('/v1/workspace', { end_users_may_resolve: true }))
    const resolved = succeeded(await grace.post(`${conversationsPath}/${id}/resolve`))
    assert.equal(resolved.status, 'resolved')
    assert.deepEqual(await mine(grace, id), resolved)
    const again = await grace.post(`${conversationsPath}/${id}/resolve`)
    assert.deepEqual(again.body.params, { from: 'resolved', action: 'resolve', allowed: [] })
    const { data } = succeeded(
      await world.test.get(`/v1/events?types=conversation.resolved&resource_id=${id}`),
    )
    assert.equal(data[0].actor.id, grace.id)
    await act(world.test, id, 'reopen')
    const reopened = await mine(grace, id)
    assert.ok(reopened.status === 'open' && reopened.updated_at > resolved.updated_at)
    await write(grace, id)
    assert.equal(await status(), 'open')
    await act(world.test, id, 'close')
    assert.equal(await status(), 'closed')
    succeeded(await world.test.patch('/v1/workspace', { end_users_may_resolve: false }))
  })

  test('a closed conversation takes no message, or answers with the first one of a new conversation', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace, { subject: 'Card' })
    await act(world.test, id, 'close')
    const refused = await grace.post(`${conversationsPath}/${id}/messages`, { body: 'x' })
    assert.deepEqual([refused.status, refused.body.code], [409, 'conversation_closed'])
    const message = await write(grace, id, { on_closed: 'follow_up' })
    assert.notEqual(message.conversation_id, id)
    assert.partialDeepStrictEqual(await mine(grace, message.conversation_id), {
      subject: 'Card',
      last_message: message,
    })
    const shown = succeeded(await world.test.get(`/v1/conversations/${message.conversation_id}`))
    assert.equal(shown.follow_up_of_id, id)
  })

  test('while blocked, end users write and type nothing, and still read', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace)
    succeeded(await world.test.post(`/v1/end_users/${grace.id}/block`, { reason: 'Spam' }))
    for (const answer of [
      await grace.post(conversationsPath, { message: { body: 'x' } }),
      await grace.post(`${conversationsPath}/${id}/messages`, { body: 'x' }),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'end_user_blocked'])
    await say(world.test, id, 'operator')
    assert.equal((await messagesOf(grace, id)).length, 2)
  })

  test('departments and categories can be chosen only if they are public and in use', async () => {
    const grace = await someone(api, world)
    const open = await department(world.test, [], { public: true })
    const hidden = await department(world.test, [])
    const gone = await department(world.test, [], { public: true, archived: true })
    const { id: category } = succeeded(
      await world.test.post('/v1/categories', { name: 'Billing', public: true }),
    )
    const { id } = await start(grace, { department_id: open, category_id: category })
    assert.partialDeepStrictEqual(succeeded(await world.test.get(`/v1/conversations/${id}`)), {
      department_id: open,
      category_id: category,
    })
    const [unknown, ...others] = await Promise.all(
      ['dept_00000000000000000000000000', hidden, gone].map((department_id) =>
        grace.post(conversationsPath, { message: { body: 'x' }, department_id }),
      ),
    )
    assert.equal(unknown!.status, 422)
    assert.partialDeepStrictEqual(unknown!.body.errors, [{ pointer: '/department_id', code: 'not_found' }])
    for (const answer of others) assert.deepEqual(plain(answer), plain(unknown!))
  })

  test('a body has at most 16 KiB in UTF-8, and files are named by their ids', async () => {
    const grace = await someone(api, world)
    const { id } = await start(grace, { message: { body: 'é'.repeat(8_192) } })
    const refused = await grace.post(`${conversationsPath}/${id}/messages`, { body: 'é'.repeat(8_193) })
    assert.partialDeepStrictEqual(refused.body.errors, [{ pointer: '/body', code: 'too_long' }])
    const all = await grace.post(conversationsPath, {
      message: { body: `${'é'.repeat(8_192)}x`, attachments: [{}] },
      metadata: {},
    })
    assert.deepEqual(all.body.errors.map(({ pointer }: Body) => pointer).toSorted(), [
      '/message/attachments/0/file_id',
      '/message/body',
      '/metadata',
    ])
  })

  test('shows texts as safe HTML, and nothing of a redacted one, also not in replays', async () => {
    const grace = await someone(api, world)
    const key = { 'idempotency-key': randomUUID() }
    const body = { message: { body: '**Hi** <script>x</script>', body_format: 'markdown' } }
    const made = succeeded(await grace.post(conversationsPath, body, key))
    assert.equal(made.last_message.body_html, '<p><strong>Hi</strong> </p>')
    const read = { 'idempotency-key': randomUUID() }
    succeeded(await grace.post(`${conversationsPath}/${made.id}/read`, {}, read))
    const text = await write(grace, made.id, { body: 'a < b\n"c" & d' })
    assert.equal(text.body_html, 'a &lt; b<br>&quot;c&quot; &amp; d')
    const image = await write(grace, made.id, {
      body: 'see ![a "cat"](https://evil.example/p.gif)',
      body_format: 'markdown',
    })
    assert.equal(image.body_html, '<p>see a &quot;cat&quot;</p>')
    const answer = { body: '![a](https://cats.example/c.gif)', body_format: 'markdown' }
    const { body_html } = await say(world.test, made.id, 'operator', answer)
    assert.equal(body_html, '<p><img src="https://cats.example/c.gif" alt="a" /></p>')
    assert.equal((await messagesOf(grace, made.id)).at(-1).body_html, body_html)
    const file = typeId('file', randomUUID())
    await api.db.write(sql`update messages set body_html = ${`<img src="file:${file}" alt="" />`}
      where tenant_id = ${world.environments.test.tenantId} and body = ${answer.body}`)
    assert.equal(
      (await messagesOf(grace, made.id)).at(-1).body_html,
      `<img src="${publicUrl(`/v1/me/files/${file}/content`)}" alt="" />`,
    )
    await act(world.test, made.id, 'resolve')
    succeeded(await world.test.post(`/v1/messages/${made.last_message.id}/redact`))
    for (const replay of [
      await grace.post(conversationsPath, body, key),
      await grace.post(`${conversationsPath}/${made.id}/read`, {}, read),
    ]) {
      assert.equal(replay.headers.get('idempotent-replayed'), 'true')
      assert.partialDeepStrictEqual(replay.body.last_message, { body: '', body_html: null })
    }
    const [redacted] = await messagesOf(grace, made.id)
    assert.ok(redacted.redacted_at && redacted.body === '' && redacted.body_html === null)
  })

  test('a key is the end user’s own: nobody else replays it', async () => {
    const [grace, ada] = [await someone(api, world), await someone(api, world)]
    const key = { 'idempotency-key': randomUUID() }
    const body = { message: { body: 'x' } }
    const first = await grace.post(conversationsPath, body, key)
    assert.deepEqual((await grace.post(conversationsPath, body, key)).body, first.body)
    const other = await ada.post(conversationsPath, body, key)
    assert.equal(other.headers.get('idempotent-replayed'), 'false')
    assert.notEqual(other.body.id, first.body.id)
    const { body: secret } = await world.test.post('/v1/conversations', { external_user_id: 'x' }, key)
    assert.notEqual(secret.id, first.body.id)
  })
})

describe('limits of what end users write', () => {
  test('429 from the sixth write of one end user in ten seconds, by any session', async () => {
    const usual = { BACKLINE_END_USER_WRITES_PER_10_SECONDS: '' }
    const limited = await api.another({ environment: usual })
    const grace = await someone(api, world)
    const clients = [grace, await sessionOf(api, world, grace.id)].map(({ key }) => limited.client(key))
    const statuses: number[] = []
    for (let i = 0; i < 6; i++)
      statuses.push((await clients[i % 2]!.post(conversationsPath, { message: { body: 'x' } })).status)
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429])
    const other = limited.client((await someone(api, world)).key)
    assert.equal((await other.post(conversationsPath, { message: { body: 'x' } })).status, 201)
    await limited.stop()
  })
})
