import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Answer,
  content,
  contentOf,
  drop,
  hang,
  relayWith,
  smtpRelay,
} from '@backline/test/smtp-relay.ts'

/* Connections to a relay serve several mails. */

describe('connections', () => {
  test('serve several mails', async (t) => {
    const { relay, send } = await relayWith(t, {}, { mailsPerConnection: 2 })
    for (const _ of [1, 2, 3]) assert.equal((await send()).recipients[0]!.status, 'accepted')
    assert.equal(relay.sockets.length, 2)
    assert.equal(relay.contents.length, 3)
  })

  test('are not reused with other settings, nor after a failure', async (t) => {
    const { relay, relays, settings, send } = await relayWith(t, {
      answers: { 'end of data': ['250 ok', '451 later', '250 ok'] },
    })
    await send()
    const mail = { from: '', to: ['ada@example.com'], content: contentOf(content) }
    await relays.send(
      { ...settings, username: 'desk', password: 'secret' },
      mail,
      new AbortController().signal,
    )
    assert.equal(relay.sockets.length, 2)
    await relays.send(
      { ...settings, username: 'desk', password: 'secret' },
      mail,
      new AbortController().signal,
    )
    assert.equal(relay.sockets.length, 3)
  })

  test('that the relay closed while they were idle do not fail the mail', async (t) => {
    for (const stale of [
      (line: string) => (line === 'second' ? drop : '250 ok'),
      (line: string) => (line === 'second' ? '421 4.4.2 idle too long' : '250 ok'),
    ]) {
      let mails = 0
      const { relay, send } = await relayWith(t, {
        answers: { MAIL: () => stale(++mails === 2 ? 'second' : '') as Answer },
      })
      await send()
      assert.equal((await send()).recipients[0]!.status, 'accepted')
      assert.equal(relay.sockets.length, 2)
      assert.equal(relay.contents.length, 2)
    }
  })

  test('are tried anew only once', async (t) => {
    const { relay, send } = await relayWith(t, { answers: { MAIL: ['250 ok', drop] } })
    await send()
    assert.equal((await send()).recipients[0]!.status, 'deferred')
    assert.equal(relay.sockets.length, 2)
  })

  test('are closed when they have been idle, and at the end', async (t) => {
    const { relay, send } = await relayWith(t, {}, { idleMs: 10 })
    await send()
    await new Promise((resolve) => relay.sockets[0]!.once('close', resolve))
    assert.equal(relay.commands.at(-1), 'QUIT')
    const other = await relayWith(t)
    await other.send()
    other.relays.close()
    await new Promise((resolve) => other.relay.sockets[0]!.once('close', resolve))
    assert.equal(other.relay.commands.at(-1), 'QUIT')
  })

  test('of a relay that answers twice serve no further mail', async (t) => {
    const { relay, send } = await relayWith(t, { answers: { 'end of data': '250 queued\r\n250 again' } })
    for (const _ of [1, 2]) assert.equal((await send()).recipients[0]!.response, '250 queued')
    assert.equal(relay.sockets.length, 2)
  })

  test('to relays that hang delay no other mail', async (t) => {
    const relay = await smtpRelay(t, { answers: { greeting: hang } })
    const other = await relayWith(t)
    const stop = new AbortController()
    const mail = { from: '', to: ['ada@example.com'], content: contentOf(content) }
    const settings = { ...other.settings, port: relay.port }
    const hanging = Array.from({ length: 200 }, () => other.relays.send(settings, mail, stop.signal))
    assert.equal((await other.send()).recipients[0]!.status, 'accepted')
    stop.abort()
    for (const { recipients } of await Promise.all(hanging))
      assert.equal(recipients[0]!.response, 'interrupted')
  })
})
