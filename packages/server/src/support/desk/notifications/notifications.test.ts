import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  type Body,
  conversation,
  department,
  operator,
  operators,
  say,
  shown,
  succeeded,
} from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { until } from '@backline/test/processes.ts'
import { followEphemeral } from '@backline/test/streams.ts'

const api = service({ works: true })

const as = (id: string) => ({ 'backline-operator': id })
/** Resolves when all writes so far have been noticed. */
const noticed = async (client: Client): Promise<void> =>
  void succeeded(await client.post('/v1/test_clock/advance', { seconds: 1 }))
const inbox = async (client: Client, id: string, query = ''): Promise<Body[]> =>
  succeeded(await client.get(`/v1/notifications?limit=100${query}`, as(id))).data
const told = async (client: Client, id: string, query = '') =>
  (await inbox(client, id, query)).map(({ kind, reason, count }) => [kind, reason, count])
const unread = async (client: Client, id: string): Promise<number> =>
  succeeded(await client.get('/v1/notifications/unread_count', as(id))).unread
const assign = (client: Client, id: string, assignee_id: string | null, by?: string) =>
  client.post(`/v1/conversations/${id}/assign`, { assignee_id }, by ? as(by) : {}).then(succeeded)
const note = (client: Client, id: string, by: string, mentions: string[], fields: object = {}) =>
  say(client, id, 'operator', { operator_id: by, visibility: 'internal', mentions, ...fields })
const follow = (client: Client, id: string, operatorId: string) =>
  client.put(`/v1/conversations/${id}/followers/${operatorId}`).then(succeeded)

async function team(count = 3) {
  const world = await api.world()
  const people = await operators(world.test, count)
  const { id } = await conversation(world.test)
  return { ...world, client: world.test, people, id, ada: people[0]!, grace: people[1]!, alan: people[2]! }
}

describe('a notification', () => {
  test('is made for who is mentioned, assigned, relieved, answered, and asked to go on', async () => {
    const { client, id, ada, grace, alan } = await team()
    await note(client, id, ada, [grace])
    await assign(client, id, ada)
    await assign(client, id, grace)
    await assign(client, id, null)
    await assign(client, id, ada)
    await follow(client, id, alan)
    const message = await say(client, id, 'end_user')
    await act(client, id, 'resolve')
    await noticed(client)
    assert.deepEqual(await told(client, ada), [
      ['answered', 'assignee', 1],
      ['assigned', 'assignee', 2],
      ['handed_over', 'reassigned', 1],
    ])
    // Grace follows since she was mentioned.
    assert.deepEqual(await told(client, grace), [
      ['answered', 'follower', 1],
      ['handed_over', 'unassigned', 1],
      ['assigned', 'assignee', 1],
      ['mentioned', 'mentioned', 1],
    ])
    assert.deepEqual(await told(client, alan), [['answered', 'follower', 1]])
    const [answered] = await inbox(client, ada)
    const events = succeeded(await client.get('/v1/events?types=message.created&limit=100')).data
    const event = events.find(({ resource }: Body) => resource.id === message.id)
    assert.partialDeepStrictEqual(answered, {
      conversation_id: id,
      operator_id: ada,
      message_id: message.id,
      event_id: event.id,
      actor: event.actor,
      notified_at: event.created_at,
      created_at: event.created_at,
      read_at: null,
      sla_metric: null,
    })
    const next = await conversation(client, { follow_up_of_id: id })
    await noticed(client)
    assert.deepEqual(
      (await inbox(client, alan)).map(({ kind, conversation_id }) => [kind, conversation_id])[0],
      ['followed_up', next.id],
    )
  })

  test('is made for nobody by what is done in their name, by colleagues’ replies, notes and imports', async () => {
    const { client, id, ada, grace } = await team()
    await assign(client, id, ada, ada)
    await note(client, id, ada, [ada])
    await say(client, id, 'operator', { operator_id: grace })
    await note(client, id, grace, [])
    await say(client, id, 'system')
    await assign(client, id, null, ada)
    await noticed(client)
    assert.deepEqual(await told(client, ada), [])
    assert.deepEqual(await told(client, grace), [])
  })

  test('of a conversation that comes to a department without an assignee, goes to its members online', async () => {
    const { client, id, ada, grace, alan } = await team()
    const away = await operator(client, {}, 'away')
    const dept = await department(client, [ada, grace, away], { assignment: { strategy: 'manual' } })
    await conversation(client, { department_id: dept })
    await client.post(`/v1/conversations/${id}/assign`, { department_id: dept }, as(grace)).then(succeeded)
    await noticed(client)
    assert.deepEqual(await told(client, ada), [['handed_over', 'department', 1]])
    for (const other of [grace, alan, away]) assert.deepEqual(await told(client, other), [])
  })

  test('counts all facts of any number at once, and a read one is followed by a new one', async () => {
    const { client, id, ada } = await team()
    await assign(client, id, ada)
    await noticed(client)
    await Promise.all(Array.from({ length: 40 }, () => say(client, id, 'end_user')))
    await noticed(client)
    assert.deepEqual(await told(client, ada, '&kind=answered'), [['answered', 'assignee', 40]])
    assert.deepEqual(succeeded(await client.get('/v1/notifications/unread_count', as(ada))).by_kind, {
      mentioned: 0,
      assigned: 1,
      handed_over: 0,
      answered: 1,
      followed_up: 0,
      sla_breached: 0,
      sla_warning: 0,
    })
    const [first] = await inbox(client, ada, '&kind=answered')
    const read = succeeded(await client.post(`/v1/notifications/${first.id}/read`, undefined, as(ada)))
    assert.deepEqual([typeof read.read_at, read.version], ['string', first.version + 1])
    const again = succeeded(await client.post(`/v1/notifications/${first.id}/read`, undefined, as(ada)))
    assert.deepEqual(again, read)
    await say(client, id, 'end_user')
    await noticed(client)
    assert.deepEqual(await told(client, ada, '&kind=answered'), [
      ['answered', 'assignee', 1],
      ['answered', 'assignee', 40],
    ])
    const refused = await client.post(`/v1/notifications/${first.id}/unread`, undefined, as(ada))
    const [other] = await inbox(client, ada, '&kind=answered&read=false')
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.params],
      [409, 'already_exists', { id: other.id }],
    )
    succeeded(await client.post(`/v1/notifications/${other.id}/read`, undefined, as(ada)))
    const back = succeeded(await client.post(`/v1/notifications/${first.id}/unread`, undefined, as(ada)))
    assert.equal(back.read_at, null)
  })

  test('belongs to its operator alone, and needs one', async () => {
    const { client, live, id, ada, grace } = await team()
    await assign(client, id, ada)
    await noticed(client)
    const [own] = await inbox(client, ada)
    assert.deepEqual(await told(client, grace), [])
    for (const path of [`/v1/notifications/${own.id}`])
      assert.equal((await client.get(path, as(grace))).status, 404)
    assert.equal((await client.post(`/v1/notifications/${own.id}/read`, undefined, as(grace))).status, 404)
    assert.equal((await live.get(`/v1/notifications/${own.id}`)).status, 422)
    const without = await client.get('/v1/notifications')
    assert.deepEqual(
      [without.status, without.body.errors[0].header, without.body.errors[0].code],
      [422, 'Backline-Operator', 'required'],
    )
    const whole = succeeded(
      await client.get(`/v1/notifications/${own.id}?include=conversation,message`, as(ada)),
    )
    assert.deepEqual([whole.conversation.id, whole.message], [id, null])
  })

  test('that is due to a rule of the SLA names its metric', async () => {
    const { client, people } = await team()
    const [ada] = people as [string]
    const config = succeeded(
      await client.post('/v1/sla_configs', {
        name: 'Fast',
        targets: [{ priority: 'normal', first_response_seconds: 600, resolution_seconds: 1200 }],
        warn_at_percent: 50,
      }),
    )
    const dept = await department(client, [], {
      default_sla_config_id: config.id,
      assignment: { strategy: 'manual' },
    })
    const { id } = await conversation(client, { department_id: dept })
    await say(client, id, 'end_user')
    await assign(client, id, ada)
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 3600 }))
    const own = await inbox(client, ada)
    assert.deepEqual(own.map(({ kind, count, sla_metric }) => [kind, count, sla_metric]).toSorted(), [
      ['assigned', 1, null],
      ['sla_breached', 2, 'resolution'],
      ['sla_warning', 2, 'resolution'],
    ])
  })
})

describe('what an operator does', () => {
  test('reads: an answer of their own, closing, and reading all up to a time', async () => {
    const { client, id, ada, grace } = await team()
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
    const { client, ada, grace } = await team()
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

  test('reading all leaves what came after', async () => {
    const { client, id, ada } = await team()
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
    const { client, id, ada } = await team()
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

describe('the notifications of a conversation', () => {
  test('move with it into another one, and are gone with it', async () => {
    const { client, id, ada, grace } = await team()
    const target = (await conversation(client)).id
    for (const each of [id, target]) {
      await assign(client, each, ada)
      await say(client, each, 'end_user')
    }
    await say(client, id, 'end_user')
    await follow(client, id, grace)
    await noticed(client)
    await act(client, id, 'merge', { into_id: target })
    await noticed(client)
    assert.deepEqual(await told(client, ada, `&conversation_id=${target}&read=false`), [
      ['answered', 'assignee', 3],
      ['assigned', 'assignee', 2],
    ])
    assert.deepEqual(await told(client, ada, `&conversation_id=${id}`), [])
    const { data } = succeeded(await client.get(`/v1/conversations/${target}/followers`))
    assert.deepEqual(
      data.map(({ operator_id }: Body) => operator_id),
      [grace],
    )
    succeeded(await client.delete(`/v1/conversations/${target}`))
    assert.deepEqual(await told(client, ada), [])
  })

  test('are told to the streams of their operator, with the number of unread ones', async () => {
    const { client, id, ada, grace } = await team()
    const other = await api.another()
    const headers = (operatorId: string) => ({ authorization: `Bearer ${client.key}`, ...as(operatorId) })
    const [own, elsewhere, others] = [
      await followEphemeral(api.url, headers(ada)),
      await followEphemeral(other.url, headers(ada)),
      await followEphemeral(api.url, headers(grace)),
    ]
    await assign(client, id, ada)
    for (const reader of [own!, elsewhere!]) {
      await until('it arrives', async () => reader.named('notification').length === 1)
      const [{ notification, desktop, unread }] = reader.named('notification')
      assert.deepEqual([notification.kind, desktop, unread], ['assigned', true, 1])
      assert.deepEqual(await inbox(client, ada), [notification])
    }
    succeeded(await client.post('/v1/notifications/read_all', undefined, as(ada)))
    await until('the reading arrives', async () => own!.named('notification').length === 2)
    const [, read] = own!.named('notification')
    assert.deepEqual([read.desktop, read.unread], [false, 0])
    assert.deepEqual(others!.named('notification'), [])
    await other.stop()
  })

  test('have an event of the system for each, and none for their counts and reading', async () => {
    const { client, id, ada } = await team()
    await assign(client, id, ada)
    await say(client, id, 'end_user')
    await noticed(client)
    await say(client, id, 'end_user')
    await noticed(client)
    const version = (await shown(client, id)).version
    succeeded(await client.post('/v1/notifications/read_all', undefined, as(ada)))
    const { data } = succeeded(await client.get('/v1/events?types=notification.*'))
    assert.deepEqual(
      data.map(({ type, actor, data }: Body) => [type, actor.type, data.object.kind]).toSorted(),
      [
        ['notification.created', 'system', 'answered'],
        ['notification.created', 'system', 'assigned'],
      ],
    )
    const about = succeeded(await client.get(`/v1/events?conversation_id=${id}&types=notification.*`)).data
    assert.deepEqual(about, [])
    assert.equal((await shown(client, id)).version, version)
  })

  test('end after thirty days, and after a thousand newer ones of the operator', async () => {
    const { client, id, ada } = await team()
    await assign(client, id, ada)
    await noticed(client)
    assert.equal(await unread(client, ada), 1)
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 30 * 86_400 }))
    assert.equal(await unread(client, ada), 0)
    assert.deepEqual(await told(client, ada), [])
  })
})
