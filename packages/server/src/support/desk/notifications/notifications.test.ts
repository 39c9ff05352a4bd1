import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  act,
  type Body,
  conversation,
  department,
  operator,
  say,
  shown,
  succeeded,
} from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { as, assign, follow, inbox, note, noticed, team, told, unread } from '@backline/test/notifications.ts'
import { until } from '@backline/test/processes.ts'
import { followEphemeral } from '@backline/test/streams.ts'
import { uuidOf } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service({ works: true })

describe('a notification', () => {
  test('is made for who is mentioned, assigned, relieved, answered, and asked to go on', async () => {
    const { client, id, ada, grace, alan } = await team(api)
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
    const { client, id, ada, grace } = await team(api)
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
    const { client, id, ada, grace, alan } = await team(api)
    const away = await operator(client, {}, 'away')
    const dept = await department(client, [ada, grace, away], { assignment: { strategy: 'manual' } })
    await conversation(client, { department_id: dept })
    await client.post(`/v1/conversations/${id}/assign`, { department_id: dept }, as(grace)).then(succeeded)
    await noticed(client)
    assert.deepEqual(await told(client, ada), [['handed_over', 'department', 1]])
    for (const other of [grace, alan, away]) assert.deepEqual(await told(client, other), [])
  })

  test('counts all facts of any number at once, and a read one is followed by a new one', async () => {
    const { client, id, ada } = await team(api)
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
    const { client, live, id, ada, grace } = await team(api)
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
      await client.get(`/v1/notifications/${own.id}?include=conversation,end_user,message`, as(ada)),
    )
    assert.deepEqual(
      [whole.conversation.id, whole.end_user.id, whole.message],
      [id, whole.conversation.end_user_id, null],
    )
  })

  test('that is due to a rule of the SLA names its metric', async () => {
    const { client, people } = await team(api)
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

describe('the notifications of a conversation', () => {
  test('move with it into another one, and are gone with it', async () => {
    const { client, id, ada, grace } = await team(api)
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
    const { client, id, ada, grace } = await team(api)
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
    const { client, id, ada } = await team(api)
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

  test('are gone for every request after thirty days, and the next fact makes a new one', async () => {
    const { client, id, ada } = await team(api)
    await assign(client, id, ada)
    await noticed(client)
    const [old] = await inbox(client, ada)
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 30 * 86_400 }))
    for (const one of [`/v1/notifications/${old.id}`, `/v1/notifications/${old.id}?include=conversation`])
      assert.equal((await client.get(one, as(ada))).status, 404)
    for (const action of ['read', 'unread'])
      assert.equal(
        (await client.post(`/v1/notifications/${old.id}/${action}`, undefined, as(ada))).status,
        404,
      )
    for (const assignee of [null, ada]) await assign(client, id, assignee)
    await noticed(client)
    const [fresh] = await inbox(client, ada, '&kind=assigned')
    assert.deepEqual([fresh.id === old.id, fresh.count], [false, 1])
  })

  test('end after thirty days, and after a thousand newer ones of the operator', async () => {
    const { client, id, ada, ...world } = await team(api)
    await assign(client, id, ada)
    await noticed(client)
    assert.equal(await unread(client, ada), 1)
    succeeded(await client.post('/v1/test_clock/advance', { seconds: 30 * 86_400 }))
    assert.equal(await unread(client, ada), 0)
    assert.deepEqual(await told(client, ada), [])
    const tenantId = world.environments.test.tenantId
    await api.db.write(sql`insert into notifications (tenant_id, id, created_at, updated_at, version, operator_id, kind,
        reason, conversation_id, event_id, actor_type, count, notified_at)
      select ${tenantId}::uuid, gen_random_uuid(), now, now, 1, ${uuidOf('op', ada)}::uuid, 'answered', 'assignee',
        gen_random_uuid(), gen_random_uuid(), 'system', 1, now
      from (select ${new Date(api.now() + 30 * 86_400_000).toISOString()}::timestamptz as now) time, generate_series(1, 1000)`)
    assert.equal(await unread(client, ada), 1_000)
    await assign(client, (await conversation(client)).id, ada)
    await noticed(client)
    assert.deepEqual(
      [await unread(client, ada), (await told(client, ada))[0]],
      [1_000, ['assigned', 'assignee', 1]],
    )
  })
})
