import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { mailbox } from '@backline/test/mails.ts'
import { until } from '@backline/test/processes.ts'
import { toInstant } from '../../../platform/kernel/clock.ts'
import { newUuid } from '../../../platform/kernel/ids.ts'
import { sql } from '../../../platform/postgres/sql.ts'
import { automaticHours, environmentsWithOldAutomatic } from './queries.ts'

const api = service({ works: true })

const smtp = { outbound: 'smtp', smtp: { host: 'smtp.example.com', port: 465, security: 'tls' } }

async function queued(client: Client, fields: object = {}): Promise<Body> {
  const box = await mailbox(client, fields)
  const { id } = await conversation(client, { mailbox_id: box.id })
  return say(client, id, 'operator', { email: { to: ['ada@example.net'], cc: ['bob@example.net'] } })
}

const outgoingOf = ({ environments }: World): Promise<object[]> =>
  api.db.rows(sql`select message_id from outgoing_emails where tenant_id = ${environments.test.tenantId}
    union all select message_id from email_contents where tenant_id = ${environments.test.tenantId}`)

for (const [outbound, fields] of Object.entries({ 'the client': {}, 'this server': smtp }))
  test(`a redacted message is not sent by ${outbound} to those who still wait for it`, async () => {
    const world = await api.world()
    const { test: client } = world
    const message = await queued(client, fields)
    const done = { status: 'delivered', recipient: 'bob@example.net' }
    const before = succeeded(await client.post(`/v1/messages/${message.id}/delivery`, done))
    const redacted = succeeded(await client.post(`/v1/messages/${message.id}/redact`))
    assert.deepEqual(
      [
        redacted.delivery.status,
        ...redacted.delivery.recipients.map((each: Body) => [each.status, each.reason]),
      ],
      ['failed', ['failed', 'cancelled'], ['delivered', null]],
    )
    assert.deepEqual([redacted.version, redacted.email], [before.version + 1, null])
    assert.deepEqual(await outgoingOf(world), [])
    const events = succeeded(await client.get('/v1/events?limit=100&types=message.*')).data.slice(-2)
    assert.deepEqual(events.map(({ type }: Body) => type).sort(), [
      'message.delivery_changed',
      'message.redacted',
    ])
    for (const { data } of events)
      assert.deepEqual([data.object, data.previous.delivery], [redacted, before.delivery])
    const retried = await client.post(`/v1/messages/${message.id}/delivery/retry`)
    assert.deepEqual([retried.status, retried.body.code], [409, 'invalid_transition'])
  })

test('a deleted conversation leaves no mail to be sent', async () => {
  const world = await api.world()
  const { test: client } = world
  const message = await queued(client, smtp)
  assert.equal((await outgoingOf(world)).length, 2)
  assert.equal((await client.delete(`/v1/conversations/${message.conversation_id}`)).status, 204)
  assert.deepEqual(await outgoingOf(world), [])
})

test('automatic mails are forgotten after a day, by the clock of the environment', async () => {
  const { test: client, environments } = await api.world()
  const { tenantId } = environments.test
  const sentAt = (hoursAgo: number) =>
    api.db.write(sql`insert into automatic_emails (tenant_id, address, message_id, created_at) values
      (${tenantId}, 'ada@example.net', ${newUuid(api.now())}, ${toInstant(api.now() - hoursAgo * 3_600_000)})`)
  const left = async () =>
    (await api.db.rows(sql`select 1 as found from automatic_emails where tenant_id = ${tenantId}`)).length
  await sentAt(automaticHours - 1)
  assert.ok(!(await environmentsWithOldAutomatic(api.db, api.now())).includes(tenantId))
  succeeded(await client.post('/v1/test_clock/advance', { seconds: 2 * 3_600 }))
  await until('the address is forgotten', async () => (await left()) === 0)
})
