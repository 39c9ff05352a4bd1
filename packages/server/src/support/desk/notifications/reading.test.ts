import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { as, assign, follow, inbox, note, noticed, team, told, unread } from '@backline/test/notifications.ts'

const api = service({ works: true })

describe('what an operator does', () => {
  test('reads: an answer of their own, closing, and reading all up to a time', async () => {
    const { client, id, ada, grace } = await team(api)
    await assign(client, id, ada)
    await note(client, id, grace, [ada])
    await say(client, id, 'end_user')
    await noticed(client)
    assert.equal(await unread(client, ada), 3)
    await say(client, id, 'operator', { operator_id: ada })
    await noticed(client)
    assert.equal(await unread(client, ada), 0)
    await say(client, id, 'end_user')
    await note(client, id, grace, [ada])
    await act(client, id, 'close')
    await noticed(client)
    assert.deepEqual(await told(client, ada, '&read=false'), [['mentioned', 'mentioned', 1]])
    const read = succeeded(await client.post('/v1/notifications/read_all', {}, as(ada)))
    assert.deepEqual(read, { object: 'notifications_read', read: 1, unread: 0 })
  })

  test('counts although the fact is noticed later', async () => {
    const { client, ada, grace } = await team(api)
    for (let i = 0; i < 5; i++) {
      const { id } = await conversation(client)
      await assign(client, id, ada)
      await follow(client, id, grace)
      await say(client, id, 'end_user')
      succeeded(await client.post('/v1/notifications/read_all', undefined, as(ada)))
      await assign(client, id, grace)
      succeeded(await client.delete(`/v1/conversations/${id}/followers/${grace}`))
      await noticed(client)
      assert.deepEqual(await told(client, ada, `&conversation_id=${id}&read=false`), [
        ['handed_over', 'reassigned', 1],
      ])
      assert.deepEqual(await told(client, ada, `&conversation_id=${id}&read=true`), [
        ['answered', 'assignee', 1],
        ['assigned', 'assignee', 1],
      ])
      assert.deepEqual(await told(client, grace, `&conversation_id=${id}`), [
        ['assigned', 'assignee', 1],
        ['answered', 'follower', 1],
      ])
    }
  })

  test('counts once: what one marks as unread after reading all stays unread', async () => {
    const { client, id, ada } = await team(api)
    await assign(client, id, ada)
    await noticed(client)
    const [assigned] = await inbox(client, ada)
    succeeded(await client.post('/v1/tags', { name: 'An event that nobody is told of' }))
    succeeded(await client.post('/v1/notifications/read_all', undefined, as(ada)))
    succeeded(await client.post(`/v1/notifications/${assigned.id}/unread`, undefined, as(ada)))
    await noticed(client)
    await say(client, id, 'end_user')
    await noticed(client)
    assert.equal(await unread(client, ada), 2)
  })

  test('reading all leaves what came after', async () => {
    const { client, id, ada } = await team(api)
    await assign(client, id, ada)
    await noticed(client)
    const [{ notified_at }] = await inbox(client, ada)
    await say(client, id, 'end_user')
    await noticed(client)
    const read = succeeded(await client.post('/v1/notifications/read_all', { up_to: notified_at }, as(ada)))
    assert.deepEqual([read.read, read.unread], [1, 1])
    const later = new Date(Date.parse(notified_at) + 86_400_000).toISOString()
    const refused = await client.post('/v1/notifications/read_all', { up_to: later }, as(ada))
    assert.partialDeepStrictEqual(refused.body.errors, [{ pointer: '/up_to', code: 'too_large' }])
    const others = { kinds: ['mentioned'], conversation_id: id }
    assert.equal(succeeded(await client.post('/v1/notifications/read_all', others, as(ada))).read, 0)
  })

  test('sets what is made: for later facts, at every depth', async () => {
    const { client, id, ada } = await team(api)
    const path = '/v1/notification_preferences'
    const before = succeeded(await client.get(path, as(ada)))
    assert.deepEqual([before.updated_at, before.version], [null, 1])
    await assign(client, id, ada)
    const set = { kinds: { assigned: { inbox: false }, answered: { desktop: false } } }
    const after = succeeded(await client.patch(path, set, as(ada)))
    assert.deepEqual(after.kinds, {
      ...before.kinds,
      assigned: { ...before.kinds.assigned, inbox: false },
      answered: { ...before.kinds.answered, desktop: false },
    })
    assert.deepEqual([after.version, typeof after.updated_at], [2, 'string'])
    assert.deepEqual(succeeded(await client.patch(path, set, as(ada))), after)
    const other = await conversation(client)
    await assign(client, other.id, ada)
    await noticed(client)
    assert.deepEqual(
      (await inbox(client, ada)).map(({ conversation_id }) => conversation_id),
      [id],
    )
    const refused = await client.patch(path, { kinds: { assigned: { email: true } } }, as(ada))
    assert.partialDeepStrictEqual(refused.body.errors, [
      { pointer: '/kinds/assigned/email', code: 'not_allowed' },
    ])
    const unknown = await client.patch(path, { kinds: { praised: {} }, follow: null }, as(ada))
    assert.deepEqual(unknown.body.errors.map(({ pointer, code }: Body) => [pointer, code]).toSorted(), [
      ['/follow', 'wrong_type'],
      ['/kinds/praised', 'unknown_field'],
    ])
    const [event] = succeeded(await client.get('/v1/events?types=notification_preferences.updated')).data
    assert.deepEqual(event.data.object, after)
    assert.deepEqual(event.data.previous.kinds, before.kinds)
  })
})
