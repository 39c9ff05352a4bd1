import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sealed } from '@backline/test/audit.ts'
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
import { file } from '@backline/test/files.ts'
import type { Client } from '@backline/test/harness.ts'
import { service } from '@backline/test/harness.ts'
import { placesOf } from '@backline/test/planted.ts'
import { until } from '@backline/test/processes.ts'

const api = service({ works: true })

const eventsOf = async (client: Client, types: string): Promise<Body[]> =>
  succeeded(await client.get(`/v1/events?types=${types}&limit=100`)).data

const planted = [
  'zebrasubject',
  'zebrabody',
  'zebraedited',
  'zebranote',
  'zebrameta',
  'zebrascheduled',
  'zebrafile',
  'zebrabytes',
]

/** A conversation with the planted texts in all places where a conversation has texts. */
async function told(client: Client) {
  const attached = await file(api, client, {
    bytes: Buffer.from('zebrabytes'),
    filename: 'zebrafile.txt',
    content_type: 'text/plain',
  })
  const { id } = await conversation(client, { subject: 'zebrasubject', metadata: { plan: 'zebrameta' } })
  const headers = { 'idempotency-key': `posted-${id}` }
  const posted = { author_side: 'end_user', body: 'zebrabody', metadata: { plan: 'zebrameta' } }
  const message = succeeded(await client.post(`/v1/conversations/${id}/messages`, posted, headers))
  succeeded(await client.patch(`/v1/messages/${message.id}`, { body: 'zebraedited' }))
  await say(client, id, 'operator', { attachments: [{ file_id: attached.id }], external_id: `ext-${id}` })
  const send_at = new Date(api.now() + 3_600_000).toISOString()
  const scheduled = await say(client, id, 'operator', { body: 'zebrascheduled', send_at })
  const { id: reason } = succeeded(await client.post('/v1/hold_reasons', { name: `Waits ${id}` }))
  await act(client, id, 'hold', { hold_reason_id: reason, note: 'zebranote' })
  succeeded(await client.patch(`/v1/conversations/${id}`, { subject: 'zebrasubject again' }))
  return {
    id,
    message,
    scheduled,
    file: attached,
    replay: () => client.post(`/v1/conversations/${id}/messages`, posted, headers),
  }
}

describe('a conversation that is deleted', () => {
  test('is gone with all texts, from every table and every file, and the audit log stays valid', async () => {
    const { test } = await api.world()
    const { id, message, scheduled, file, replay } = await told(test)
    const { end_user_id } = await shown(test, id)
    assert.deepEqual(
      [...new Set((await placesOf(api, planted)).map((place) => place.split(': ')[1]))].sort(),
      planted.toSorted(),
    )
    const { status } = await test.delete(`/v1/conversations/${id}`)
    assert.equal(status, 204)
    await until('the bytes are gone', async () => (await placesOf(api, planted)).length === 0)
    for (const path of [
      `/v1/conversations/${id}`,
      `/v1/conversations/${id}/messages`,
      `/v1/conversations/${id}/timeline`,
      `/v1/messages/${message.id}`,
      `/v1/messages/${scheduled.id}`,
      `/v1/files/${file.id}`,
    ])
      assert.equal((await test.get(path)).status, 404, path)
    const again = await replay()
    assert.deepEqual([again.status, again.body.body], [201, ''])
    assert.equal((await test.delete(`/v1/conversations/${id}`)).status, 404)
    const [event, ...others] = await eventsOf(test, 'conversation.deleted')
    assert.deepEqual(others, [])
    assert.deepEqual(event.data, { object: { id, external_id: null, end_user_id }, previous: {} })
    const { data } = succeeded(await test.get(`/v1/audit_log?action=conversation.deleted`))
    assert.deepEqual(data[0].changes, { end_user_id: { from: end_user_id, to: null } })
    assert.equal((await sealed(test)).valid, true)
  })

  test('gives its external ids back, and its place with its operator', async () => {
    const { test } = await api.world()
    const member = await operator(test)
    const dept = await department(test, [member])
    const { id, assignee_id } = await conversation(test, { department_id: dept, external_id: 'ticket-1' })
    assert.equal(assignee_id, member)
    await say(test, id, 'end_user', { external_id: 'mail-1' })
    assert.equal(succeeded(await test.get(`/v1/operators/${member}`)).open_conversations, 1)
    succeeded(await test.delete(`/v1/conversations/${id}`))
    assert.equal(succeeded(await test.get(`/v1/operators/${member}`)).open_conversations, 0)
    const next = await conversation(test, { external_id: 'ticket-1' })
    await say(test, next.id, 'end_user', { external_id: 'mail-1' })
  })

  test('is referred to by no follow-up and no merged conversation', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const follow = await conversation(test, { follow_up_of_id: id })
    const merged = await conversation(test)
    await act(test, merged.id, 'merge', { into_id: id })
    succeeded(await test.delete(`/v1/conversations/${id}`))
    assert.equal((await shown(test, follow.id)).follow_up_of_id, null)
    assert.equal((await shown(test, merged.id)).merged_into_id, null)
    const updated = await eventsOf(test, 'conversation.updated')
    assert.deepEqual(
      new Set(updated.slice(-2).map(({ resource }) => resource.id)),
      new Set([follow.id, merged.id]),
    )
  })

  test('is kept for agents, for other versions, and under a legal hold', async () => {
    const { test } = await api.world()
    const { id, end_user_id } = await conversation(test)
    const [agent, lead] = [await operator(test, { role: 'agent' }), await operator(test, { role: 'lead' })]
    const asAgent = await test.delete(`/v1/conversations/${id}`, { 'backline-operator': agent })
    assert.deepEqual(
      [asAgent.status, asAgent.body.code, asAgent.body.params.role],
      [403, 'scope_missing', 'lead'],
    )
    const outdated = await test.delete(`/v1/conversations/${id}`, { 'if-match': '"7"' })
    assert.equal(outdated.status, 412)
    const hold = { reason: 'Case 7' }
    const held = succeeded(await test.put(`/v1/end_users/${end_user_id}/legal_hold`, hold))
    assert.deepEqual(held.legal_hold, { ...hold, since: held.updated_at })
    const refused = await test.delete(`/v1/conversations/${id}`)
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.params],
      [409, 'legal_hold', { end_user_id }],
    )
    const released = succeeded(await test.delete(`/v1/end_users/${end_user_id}/legal_hold`))
    assert.equal(released.legal_hold, null)
    const { status } = await test.delete(`/v1/conversations/${id}`, { 'backline-operator': lead })
    assert.equal(status, 204)
  })
})

describe('at the same time as a deletion', () => {
  test('messages are posted before it, or answer 404, and none of them is left', async () => {
    const { test } = await api.world()
    for (let round = 0; round < 5; round++) {
      const { id } = await conversation(test)
      const posts = Array.from({ length: 8 }, (_, i) =>
        test.post(`/v1/conversations/${id}/messages`, { author_side: 'end_user', body: `zanzibar${i}` }),
      )
      const [deleted, ...posted] = await Promise.all([test.delete(`/v1/conversations/${id}`), ...posts])
      assert.equal(deleted!.status, 204)
      for (const { status } of posted) assert.ok(status === 201 || status === 404, String(status))
      await until('all texts are gone', async () => (await placesOf(api, ['zanzibar'])).length === 0)
    }
  })

  test('another deletion answers 404, and there is one event', async () => {
    const { test } = await api.world()
    const { id } = await conversation(test)
    const answers = await Promise.all(Array.from({ length: 4 }, () => test.delete(`/v1/conversations/${id}`)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404, 404, 404])
    assert.equal((await eventsOf(test, 'conversation.deleted')).length, 1)
  })

  test('redactions, follow-ups, and routing end without an error', async () => {
    const { test } = await api.world()
    for (let round = 0; round < 5; round++) {
      const dept = await department(test, [])
      const { id } = await conversation(test, { department_id: dept })
      const { id: messageId } = await say(test, id, 'end_user', {})
      const member = await operator(test, {}, 'offline')
      succeeded(await test.put(`/v1/departments/${dept}/operators/${member}`))
      const [deleted, redacted, followed, online] = await Promise.all([
        test.delete(`/v1/conversations/${id}`),
        test.post(`/v1/messages/${messageId}/redact`),
        test.post('/v1/conversations', { external_user_id: 'user_42', follow_up_of_id: id }),
        test.put(`/v1/operators/${member}/status`, { status: 'online' }),
      ])
      assert.equal(deleted!.status, 204)
      assert.ok([200, 404].includes(redacted!.status), String(redacted!.status))
      assert.ok([201, 422].includes(followed!.status), String(followed!.status))
      assert.equal(online!.status, 200)
      if (followed!.status === 201)
        await until(
          'it refers to nothing',
          async () => (await shown(test, followed!.body.id)).follow_up_of_id === null,
        )
      assert.equal(succeeded(await test.get(`/v1/operators/${member}`)).open_conversations, 0)
    }
  })
})
