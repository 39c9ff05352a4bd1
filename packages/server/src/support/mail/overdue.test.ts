import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { conversation, say, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { deliver, mail, mailbox } from '@backline/test/mails.ts'
import { smtpRelay } from '@backline/test/smtp-relay.ts'
import { inboundOverdueMs } from './inbound-emails/queries.ts'
import { outgoingOverdueMs } from './sending/queries.ts'

/* Mails that wait, because the server does no background work. */

const hourMs = 3_600_000
const toMinutes = (ms: number): number => Math.round(ms / 60_000)

describe('the time for which mail has waited', () => {
  const api = service({ environment: { BACKLINE_SMTP_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const inbound = async () => toMinutes(await inboundOverdueMs(api.db, api.now() + hourMs))
  const outgoing = async () => toMinutes(await outgoingOverdueMs(api.db, api.now() + hourMs))

  test('counts from the arrival of the oldest mail that is not processed', async () => {
    const { test: client } = await api.world()
    const { id } = await mailbox(client)
    assert.equal(await inbound(), 0)
    succeeded(await deliver(client, mail(), { mailbox_id: id }))
    assert.equal(await inbound(), 60)
  })

  test('counts from the time at which a mail is due, unless its mailbox may not send', async (t: TestContext) => {
    const { test: client } = await api.world()
    const { port } = await smtpRelay(t)
    const { id: mailbox_id } = await mailbox(client, {
      outbound: 'smtp',
      smtp: { host: '127.0.0.1', port, security: 'none' },
    })
    const { id } = await conversation(client, { mailbox_id })
    await say(client, id, 'system', { email: { to: ['ada@example.net'] } })
    assert.equal(await outgoing(), 0, 'not verified')
    const path = `/v1/mailboxes/${mailbox_id}`
    assert.equal(succeeded(await client.post(`${path}/verify`, { to: 'me@example.com' })).ok, true)
    assert.equal(await outgoing(), 60)
    succeeded(await client.patch(path, { status: 'paused' }))
    assert.equal(await outgoing(), 0, 'paused')
  })
})
