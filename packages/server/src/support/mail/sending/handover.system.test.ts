import assert from 'node:assert/strict'
import { after, describe, type TestContext, test } from 'node:test'
import { type Body, conversation, operator, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { startWorker } from '@backline/test/hooks.ts'
import { mailbox } from '@backline/test/mails.ts'
import { cleanUp, until } from '@backline/test/processes.ts'
import { hang, type SmtpRelay, type Step, smtpRelay } from '@backline/test/smtp-relay.ts'

/* The server of `service()` does no background work; workers are processes, which are killed. */

const environment = {
  BACKLINE_SMTP_ALLOWED_NETWORKS: '127.0.0.0/8',
  BACKLINE_MAIL_RETRY_SECONDS: '1,1,1,1,1',
}
const api = service({ environment })
after(cleanUp)

const usual: Record<string, string> = {
  MAIL: '250 2.1.0 fine',
  RCPT: '250 2.1.5 fine',
  DATA: '354 go on',
  'end of data': '250 2.0.0 queued',
}

/** A relay that does not answer one step once, after its mailbox is verified. */
async function relayOf(t: TestContext, client: Client, step: Step | null = null) {
  const state = { isVerified: false, hasHung: false }
  const answer = () => {
    if (!state.isVerified || state.hasHung) return usual[step!]!
    state.hasHung = true
    return hang
  }
  const relay = await smtpRelay(t, step ? { answers: { [step]: answer } } : {})
  const smtp = { host: '127.0.0.1', port: relay.port, security: 'none' }
  const box = await mailbox(client, { outbound: 'smtp', smtp, rate_per_minute: 6_000 })
  assert.ok(succeeded(await client.post(`/v1/mailboxes/${box.id}/verify`, { to: 'me@example.com' })).ok)
  state.isVerified = true
  relay.contents.length = 0
  return { relay, box, state }
}

const send = async (client: Client, box: Body, to = 'ada@example.net'): Promise<Body> => {
  const { id } = await conversation(client, { mailbox_id: box.id })
  return say(client, id, 'operator', { operator_id: await operator(client), email: { to: [to] } })
}

const deliveryOf = async (client: Client, { id }: Body): Promise<Body> =>
  succeeded(await client.get(`/v1/messages/${id}`)).delivery

/** How often the relay has each mail, by its Message-ID. */
const counts = ({ contents }: SmtpRelay): Map<string, number> => {
  const found = new Map<string, number>()
  for (const content of contents) {
    const id = /^Message-ID: (\S+)/m.exec(content)![1]!
    found.set(id, (found.get(id) ?? 0) + 1)
  }
  return found
}

describe('a worker that is killed', () => {
  const kinds: [name: string, step: Step, times: number][] = [
    ['while the relay looks at the sender', 'MAIL', 1],
    ['while the relay looks at a recipient', 'RCPT', 1],
    ['before the content', 'DATA', 1],
    ['before the answer to the whole mail', 'end of data', 2],
  ]
  test('before the relay has the whole mail leaves one mail; after that the same mail comes once more', async (t) => {
    const { test: client } = await api.world()
    const each = await Promise.all(
      kinds.map(async ([name, step, times]) => {
        const { relay, box, state } = await relayOf(t, client, step)
        return { name, times, relay, state, message: await send(client, box) }
      }),
    )
    const first = await startWorker(api, environment)
    await until('all relays hang', async () => each.every(({ state }) => state.hasHung))
    await first.stop('SIGKILL')
    const second = await startWorker(api, environment)
    for (const { name, relay, message, times } of each) {
      await until(
        `the mail is sent: ${name}`,
        async () => (await deliveryOf(client, message)).status === 'sent',
      )
      assert.deepEqual([...counts(relay)], [[message.email.header_message_id, times]], name)
    }
    await second.stop()
  })

  test('again and again among mails doubles none but those whose answer it waited for', async (t) => {
    const { test: client } = await api.world()
    const { relay, box } = await relayOf(t, client)
    const mails: Body[] = []
    for (let i = 0; i < 60; i++) mails.push(await send(client, box, `ada+${i}@example.net`))
    let workers = await Promise.all([startWorker(api, environment), startWorker(api, environment)])
    for (const share of [0.2, 0.5]) {
      await until('some are sent', async () => relay.contents.length > share * mails.length)
      await workers[0]!.stop('SIGKILL')
      workers = [workers[1]!, await startWorker(api, environment)]
    }
    for (const mail of mails)
      await until('every one is sent', async () => (await deliveryOf(client, mail)).status === 'sent')
    for (const each of workers) await each.stop()
    const all = counts(relay)
    assert.equal(all.size, mails.length)
    const doubled = [...all.values()].filter((count) => count > 1)
    assert.ok(doubled.length <= 2 * 10, `${doubled.length} mails came again`) // the open hand-overs of two kills
  })
})
