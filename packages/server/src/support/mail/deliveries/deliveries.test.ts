import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signedIn } from '@backline/test/console.ts'
import { type Body, conversation, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { faultsOf } from '@backline/test/mailboxes.ts'
import { arrive, mailbox } from '@backline/test/mails.ts'

const api = service({ works: true })

const pathOf = ({ id }: Body) => `/v1/messages/${id}/delivery`
const report = (client: Client, message: Body, body: object) => client.post(pathOf(message), body)
const reported = async (client: Client, message: Body, body: object): Promise<Body> =>
  succeeded(await report(client, message, body)).delivery
const retry = (client: Client, message: Body) => client.post(`${pathOf(message)}/retry`)
const statuses = ({ status, recipients }: Body) => [status, ...recipients.map((each: Body) => each.status)]
const changes = async (client: Client, { id }: Body): Promise<Body[]> =>
  succeeded(await client.get('/v1/events?limit=100&types=message.delivery_changed')).data.filter(
    ({ data }: Body) => data.object.id === id,
  )

/** A mail to some addresses that waits to be sent, by the client by default. */
async function queued(
  client: Client,
  to: string[] = ['ada@example.net'],
  fields: object = {},
): Promise<Body> {
  const box = await mailbox(client, fields)
  const { id } = await conversation(client, { mailbox_id: box.id })
  return say(client, id, 'operator', { email: { to } })
}

const all = ['queued', 'sent', 'delivered', 'failed', 'bounced'] as const
/** The statuses that may follow each. */
const next: Record<(typeof all)[number], string[]> = {
  queued: ['sent', 'delivered', 'failed', 'bounced'],
  sent: ['delivered', 'failed', 'bounced'],
  delivered: ['bounced'],
  failed: [],
  bounced: [],
}

describe('a report', () => {
  for (const from of all)
    test(`after ${from} moves a recipient forward alone, with one event for each change`, async () => {
      const { test: client } = await api.world()
      for (const to of all.slice(1)) {
        const message = await queued(client)
        const before =
          from === 'queued' ? message : succeeded(await report(client, message, { status: from }))
        const events = (await changes(client, message)).length
        const after = succeeded(await report(client, message, { status: to, reason: 'Why', smtp_code: 550 }))
        const [was] = before.delivery.recipients
        const [is] = after.delivery.recipients
        const added = (await changes(client, message)).slice(events)
        if (next[from].includes(to)) {
          assert.deepEqual([after.delivery.status, is.status, is.reason, is.smtp_code], [to, to, 'Why', 550])
          assert.equal(after.version, before.version + 1)
          assert.deepEqual(
            added.map(({ data }) => [data.object.delivery, data.previous.delivery]),
            [[after.delivery, before.delivery]],
          )
        } else {
          assert.deepEqual([after, is], [before, was], `${from} → ${to}`)
          assert.equal((await changes(client, message)).length, events)
        }
      }
    })

  test('raises the version of the message, and leaves the conversation as it is', async () => {
    const { test: client } = await api.world()
    const message = await queued(client)
    const before = await shown(client, message.conversation_id)
    await reported(client, message, { status: 'sent' })
    assert.deepEqual(await shown(client, message.conversation_id), before)
    assert.equal(succeeded(await client.get(`/v1/messages/${message.id}`)).version, message.version + 1)
  })

  test('of one recipient leaves the others, and the mail is as far as its worst recipient', async () => {
    const { test: client } = await api.world()
    const message = await queued(client, ['ada@example.net', 'bob@example.net'])
    const steps: [object, string[]][] = [
      [{ status: 'sent' }, ['sent', 'sent', 'sent']],
      [{ status: 'delivered', recipient: 'ADA@example.net' }, ['sent', 'delivered', 'sent']],
      [{ status: 'failed', recipient: 'bob@example.net' }, ['failed', 'delivered', 'failed']],
      [{ status: 'bounced', recipient: 'ada@example.net' }, ['bounced', 'bounced', 'failed']],
    ]
    for (const [body, expected] of steps)
      assert.deepEqual(statuses(await reported(client, message, body)), expected)
  })

  test('with the Message-ID of the provider lets answers to it join the conversation, however often it comes', async () => {
    const { test: client } = await api.world()
    const box = await mailbox(client)
    const { id } = await conversation(client, { mailbox_id: box.id })
    const message = await say(client, id, 'operator', { email: { to: ['ada@example.net'] } })
    const body = { status: 'sent', header_message_id: '<0100018f@provider.example>' }
    await reported(client, message, body)
    await reported(client, message, body)
    const answer = await arrive(client, {
      to: box.address,
      headers: [`In-Reply-To: ${body.header_message_id}`],
    })
    assert.deepEqual(
      [answer.status, answer.conversation_id, answer.threaded_by, answer.authentication.basis],
      ['threaded', id, 'in_reply_to', 'reply'],
    )
    const own = await arrive(client, { to: box.address, messageId: body.header_message_id })
    assert.equal(own.reason, 'own_message')
  })

  test('is refused for what is not true', async () => {
    const { test: client, live } = await api.world()
    const message = await queued(client)
    const refused: [object, string][] = [
      [{ status: 'sent', recipient: 'eve@example.net' }, '/recipient not_found'],
      [{ status: 'queued' }, '/status not_allowed'],
      [{ status: 'bounced', smtp_code: 'no' }, '/smtp_code bad_format'],
      [{ status: 'bounced', smtp_code: 99 }, '/smtp_code too_small'],
      [{ status: 'sent', header_message_id: 'a b' }, '/header_message_id bad_format'],
    ]
    for (const [body, expected] of refused)
      assert.deepEqual(faultsOf(await report(client, message, body)), [expected])
    assert.equal((await report(live, message, { status: 'sent' })).status, 404)
    const before = succeeded(await client.get(`/v1/messages/${message.id}`))
    assert.deepEqual(before, message)
  })

  test('needs a mail that was to be sent', async () => {
    const { test: client } = await api.world()
    const box = await mailbox(client)
    const { id } = await conversation(client, { mailbox_id: box.id })
    const send_at = new Date(api.now() + 3_600_000).toISOString()
    for (const fields of [{ visibility: 'internal' }, { email: { send: false } }, { send_at }]) {
      const message = await say(client, id, 'operator', fields)
      for (const answer of [await report(client, message, { status: 'sent' }), await retry(client, message)])
        assert.deepEqual([answer.status, answer.body.code], [409, 'invalid_transition'], answer.text)
    }
  })

  test('of a mail that this server sends may say anything but that it was sent', async () => {
    const { test: client } = await api.world()
    const smtp = { host: 'smtp.example.com', port: 465, security: 'tls' }
    const message = await queued(client, undefined, { outbound: 'smtp', smtp })
    assert.deepEqual(faultsOf(await report(client, message, { status: 'sent' })), ['/status not_allowed'])
    for (const status of ['delivered', 'bounced'])
      assert.deepEqual(statuses(await reported(client, message, { status })), [status, status])
  })

  test('with a key is carried out once', async () => {
    const { test: client } = await api.world()
    const message = await queued(client)
    const send = () => client.post(pathOf(message), { status: 'sent' }, { 'idempotency-key': 'report' })
    const first = succeeded(await send())
    const again = await send()
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [first, 'true'])
    assert.equal((await changes(client, message)).length, 1)
  })

  test('at the same moment as others ends as the furthest, and each change is one event', async () => {
    const { test: client } = await api.world()
    const message = await queued(client)
    const given = ['sent', 'delivered', 'bounced', 'sent', 'delivered', 'bounced']
    await Promise.all(given.map((status) => reported(client, message, { status })))
    const last = succeeded(await client.get(`/v1/messages/${message.id}`))
    assert.equal(last.delivery.status, 'bounced')
    assert.equal(last.version, message.version + (await changes(client, message)).length)
  })
})

describe('a retry', () => {
  test('queues the failed recipients again, and nobody else', async () => {
    const { test: client } = await api.world()
    const message = await queued(client, ['ada@example.net', 'bob@example.net', 'carol@example.net'])
    await reported(client, message, { status: 'sent', recipient: 'ada@example.net' })
    await reported(client, message, { status: 'bounced', recipient: 'carol@example.net' })
    await reported(client, message, { status: 'failed', recipient: 'bob@example.net', reason: 'refused' })
    const { delivery } = succeeded(await retry(client, message))
    assert.deepEqual(statuses(delivery), ['bounced', 'sent', 'queued', 'bounced'])
    assert.deepEqual([delivery.recipients[1].reason, delivery.recipients[1].smtp_code], [null, null])
    assert.equal((await changes(client, message)).length, 4)
    const again = await retry(client, message)
    assert.deepEqual([again.status, again.body.code], [409, 'invalid_transition'])
    await reported(client, message, { status: 'delivered', recipient: 'bob@example.net' })
  })

  test('leaves suppressed recipients failed until they are not', async () => {
    const { test: client } = await api.world()
    const suppression = succeeded(await client.post('/v1/email_suppressions', { address: 'ada@example.net' }))
    const message = await queued(client)
    assert.deepEqual(statuses(succeeded(await retry(client, message)).delivery), ['failed', 'failed'])
    assert.equal((await client.delete(`/v1/email_suppressions/${suppression.id}`)).status, 204)
    assert.deepEqual(statuses(succeeded(await retry(client, message)).delivery), ['queued', 'queued'])
  })

  test('may be asked for by an agent in the console, and by a key that writes messages', async () => {
    const world = await api.world()
    const { test: client } = world
    const browser = await signedIn(api, world, 'agent')
    const message = await queued(client)
    await reported(client, message, { status: 'failed' })
    const reading = await world.withScopes('messages:read')
    assert.equal((await retry(reading, message)).body.code, 'scope_missing')
    const writing = await world.withScopes('messages:write')
    assert.equal((await retry(writing, message)).status, 200)
    await reported(client, message, { status: 'failed' })
    assert.equal((await browser.send('POST', `${pathOf(message)}/retry`)).status, 200)
  })
})
