import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, operator, say, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { mailbox } from '@backline/test/mails.ts'
import { until } from '@backline/test/processes.ts'
import { hang, smtpRelay } from '@backline/test/smtp-relay.ts'

const api = service({ works: true, environment: { BACKLINE_SMTP_ALLOWED_NETWORKS: '127.0.0.0/8' } })

const relays = 200

test('two hundred relays that hang delay no mail of another mailbox', async (t) => {
  const { test: client } = await api.world()
  const { test: other } = await api.world()
  let isHanging = false
  const slow = await smtpRelay(t, { answers: { EHLO: () => (isHanging ? hang : '250 relay.test') } })
  const quick = await smtpRelay(t)
  const smtp = (port: number) => ({ host: '127.0.0.1', port, security: 'none' })
  const verified = async (of: typeof client, port: number): Promise<Body> => {
    const box = await mailbox(of, { outbound: 'smtp', smtp: smtp(port) })
    assert.ok(succeeded(await of.post(`/v1/mailboxes/${box.id}/verify`, { to: 'me@example.com' })).ok)
    return box
  }
  const hanging: Body[] = []
  for (let i = 0; i < relays; i++) hanging.push(await verified(client, slow.port))
  const boxes = [
    { of: client, box: await verified(client, quick.port) },
    { of: other, box: await verified(other, quick.port) },
  ]
  isHanging = true
  const by = new Map([
    [client, await operator(client)],
    [other, await operator(other)],
  ])
  const send = async (of: typeof client, box: Body): Promise<Body> => {
    const { id } = await conversation(of, { mailbox_id: box.id })
    return say(of, id, 'operator', { operator_id: by.get(of)!, email: { to: ['ada@example.net'] } })
  }
  const opened = slow.sockets.length
  const held: Body[] = []
  for (const box of hanging) for (let i = 0; i < 2; i++) held.push(await send(client, box))
  await until('all relays hang', async () => slow.sockets.length >= opened + relays)
  for (const { of, box } of boxes) {
    const message = await send(of, box)
    await until('the mail is sent', async () => {
      const { delivery } = succeeded(await of.get(`/v1/messages/${message.id}`))
      return delivery.status === 'sent'
    })
  }
  for (const { id } of held.slice(0, 10))
    assert.equal(succeeded(await client.get(`/v1/messages/${id}`)).delivery.status, 'queued')
  assert.equal(slow.sockets.length, opened + relays, 'one connection to each relay that hangs')
})
