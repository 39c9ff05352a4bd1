import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Body, conversation, operator, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { arrive, mailbox } from '@backline/test/mails.ts'
import { until } from '@backline/test/processes.ts'
import { drop, type Script, type SmtpRelay, smtpRelay } from '@backline/test/smtp-relay.ts'
import { sql } from '../../../platform/postgres/sql.ts'

const api = service({ works: true, environment: { BACKLINE_SMTP_ALLOWED_NETWORKS: '127.0.0.0/8' } })

type Desk = { client: Client; relay: SmtpRelay; box: Body; sent(fields?: object): Promise<Body> }

/** A mailbox that sends by a relay, and a function that writes in a conversation of its own. */
async function desk(t: TestContext, script: Script = {}, fields: object = {}): Promise<Desk> {
  const relay = await smtpRelay(t, script)
  const { test: client } = await api.world()
  const smtp = { host: '127.0.0.1', port: relay.port, security: 'none' }
  const box = await mailbox(client, { outbound: 'smtp', smtp, ...fields })
  const by = await operator(client, { name: 'Grace' })
  return {
    client,
    relay,
    box,
    async sent(fields = {}) {
      const { id } = await conversation(client, { mailbox_id: box.id, subject: 'Card declined' })
      return say(client, id, 'operator', {
        operator_id: by,
        body: 'Let me check.',
        email: { to: ['ada@example.net'] },
        ...fields,
      })
    },
  }
}

const verify = async ({ client, box }: Desk): Promise<Body> =>
  succeeded(await client.post(`/v1/mailboxes/${box.id}/verify`, { to: 'me@example.com' }))

/** A desk whose mailbox is verified; the relay has no record of that. */
async function verified(t: TestContext, script: Script = {}, fields: object = {}): Promise<Desk> {
  const answers = script.answers ?? {}
  let isOver = false
  const later = Object.fromEntries(
    Object.entries(answers).map(([step, answer]) => {
      let count = 0
      return [
        step,
        (line: string) => {
          if (!isOver) return usual[step]!
          if (typeof answer === 'function') return answer(line)
          return Array.isArray(answer) ? answer[Math.min(count++, answer.length - 1)]! : answer
        },
      ]
    }),
  )
  const one = await desk(t, { ...script, answers: later }, fields)
  assert.equal((await verify(one)).ok, true)
  isOver = true
  one.relay.contents.length = 0
  one.relay.commands.length = 0
  return one
}

const usual: Record<string, string> = {
  MAIL: '250 2.1.0 fine',
  RCPT: '250 2.1.5 fine',
  DATA: '354 go on',
  'end of data': '250 2.0.0 queued',
}

async function settled(
  { client }: Desk,
  { id }: Body,
  isSo = (d: Body) => d.status !== 'queued',
): Promise<Body> {
  let message: Body
  await until('the delivery changes', async () => {
    message = succeeded(await client.get(`/v1/messages/${id}`))
    return isSo(message.delivery)
  })
  return message
}

const statuses = ({ delivery }: Body) =>
  delivery.recipients.map((each: Body) => [each.address, each.status, each.reason, each.smtp_code])

const advance = async ({ client }: Desk, seconds: number) =>
  succeeded(await client.post('/v1/test_clock/advance', { seconds }))

describe('a mailbox with a relay', () => {
  test('sends nothing until a test mail has verified it, and then all that has waited', async (t) => {
    const one = await desk(t)
    const waiting = await one.sent()
    assert.deepEqual(statuses(waiting), [['ada@example.net', 'queued', 'mailbox_unverified', null]])
    assert.equal(one.relay.contents.length, 0)
    const result = await verify(one)
    assert.deepEqual(
      [result.object, result.ok, result.stage, result.smtp_code, result.response],
      ['mailbox_verification', true, null, 250, '250 2.0.0 queued as 4711'],
    )
    const { verified_at } = succeeded(await one.client.get(`/v1/mailboxes/${one.box.id}`))
    assert.equal(result.verified_at, verified_at)
    const message = await settled(one, waiting)
    assert.deepEqual(statuses(message), [['ada@example.net', 'sent', null, '2.0.0']])
    assert.deepEqual([message.delivery.status, message.delivery.attempts], ['sent', 1])
    assert.equal(message.version, waiting.version + 1)
    assert.equal(one.relay.contents.length, 2)
  })

  test('says at which step a test mail failed, and stays unverified', async (t) => {
    const one = await desk(t, { answers: { RCPT: '550 5.1.1 nobody' } })
    const result = await verify(one)
    assert.deepEqual(
      [result.ok, result.stage, result.smtp_code, result.response, result.verified_at],
      [false, 'recipient', 550, '550 5.1.1 nobody', null],
    )
  })

  test('cannot be verified if the client sends its mail', async (t) => {
    const one = await desk(t, {}, { outbound: 'client', smtp: null })
    const answer = await one.client.post(`/v1/mailboxes/${one.box.id}/verify`, { to: 'me@example.com' })
    assert.deepEqual([answer.status, answer.body.code], [409, 'invalid_transition'])
  })

  test('keeps mail while it is paused', async (t) => {
    const one = await verified(t, {}, { status: 'paused' })
    const waiting = await one.sent()
    assert.deepEqual(statuses(waiting), [['ada@example.net', 'queued', 'mailbox_paused', null]])
    succeeded(await one.client.patch(`/v1/mailboxes/${one.box.id}`, { status: 'enabled' }))
    assert.equal((await settled(one, waiting)).delivery.status, 'sent')
  })

  test('that has sent a mail is in use, and is archived in place of being deleted', async (t) => {
    const one = await verified(t)
    const { conversation_id } = await one.sent()
    succeeded(await one.client.patch(`/v1/conversations/${conversation_id}`, { mailbox_id: null }))
    const answer = await one.client.delete(`/v1/mailboxes/${one.box.id}`)
    assert.deepEqual([answer.status, answer.body.code], [409, 'resource_in_use'])
  })

  test('hands over no more mails than its rate in any minute', async (t) => {
    const one = await verified(t, {}, { rate_per_minute: 2 })
    const mails = [await one.sent(), await one.sent(), await one.sent(), await one.sent(), await one.sent()]
    await settled(one, mails[0])
    await settled(one, mails[1])
    await advance(one, 30)
    assert.equal(one.relay.contents.length, 2)
    await advance(one, 31)
    assert.equal(one.relay.contents.length, 4)
    await advance(one, 61)
    assert.equal(one.relay.contents.length, 5)
  })
})

describe('a mail', () => {
  test('has the headers of its message, its text and HTML, and hides hidden recipients', async (t) => {
    const one = await verified(t)
    const message = await one.sent({
      email: {
        to: ['ada@example.net'],
        cc: ['bob@example.net'],
        bcc: ['carol@example.net'],
        subject: 'Ünïcode',
      },
      body: 'Let me **check**.',
      body_format: 'markdown',
    })
    await settled(one, message)
    const [content] = one.relay.contents
    const header = content!.split('\r\n\r\n')[0]!
    assert.match(header, new RegExp(`^Message-ID: ${message.email.header_message_id}$`, 'm'))
    assert.match(header, /^To: ada@example\.net$/m)
    assert.match(header, /^Cc: bob@example\.net$/m)
    assert.match(header, /^Subject: =\?UTF-8\?/im)
    assert.match(
      header,
      new RegExp(`^Reply-To: ${message.email.reply_to[0].address.replace('+', '\\+')}$`, 'm'),
    )
    assert.doesNotMatch(content!, /carol|Auto-Submitted/i)
    assert.match(content!, /<strong>check<\/strong>/)
    const from = message.email.reply_to[0].address
    assert.deepEqual(
      one.relay.commands.filter((line) => /^(MAIL|RCPT)/.test(line)).map((line) => line.split(' ')[1]),
      [`FROM:<${from}>`, 'TO:<ada@example.net>', 'TO:<bob@example.net>', 'TO:<carol@example.net>'],
    )
  })

  test('of the system says that no person wrote it', async (t) => {
    const one = await verified(t)
    const { id } = await conversation(one.client, { mailbox_id: one.box.id })
    const message = await say(one.client, id, 'system', { email: { to: ['ada@example.net'] } })
    await settled(one, message)
    assert.match(one.relay.contents[0]!, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(one.relay.contents[0]!, /^X-Auto-Response-Suppress: All\r$/m)
  })

  test('reaches each recipient once: those who were accepted are not sent to again', async (t) => {
    let isDeferring = true
    const one = await verified(t, {
      answers: {
        RCPT: (line) => {
          if (line.includes('bob')) return '550 5.1.1 no such user'
          return line.includes('carol') && isDeferring ? '451 4.2.1 later' : '250 2.1.5 fine'
        },
      },
    })
    const message = await one.sent({
      email: { to: ['ada@example.net', 'bob@example.net', 'carol@example.net'] },
    })
    const after = await settled(one, message, (delivery) => delivery.attempts === 1)
    assert.equal(after.delivery.status, 'failed')
    assert.deepEqual(statuses(after), [
      ['ada@example.net', 'sent', null, '2.0.0'],
      ['bob@example.net', 'failed', 'refused', '5.1.1'],
      ['carol@example.net', 'queued', 'deferred', '4.2.1'],
    ])
    assert.equal(
      Date.parse(after.delivery.next_attempt_at) - Date.parse(after.delivery.recipients[2].at),
      60_000,
    )
    isDeferring = false
    one.relay.commands.length = 0
    await advance(one, 61)
    const last = await settled(one, message, (delivery) => delivery.attempts === 2)
    assert.deepEqual(statuses(last)[2], ['carol@example.net', 'sent', null, '2.0.0'])
    assert.deepEqual(
      one.relay.commands.filter((line) => line.startsWith('RCPT')),
      ['RCPT TO:<carol@example.net>'],
    )
    const ids = one.relay.contents.map((content) => /^Message-ID: (.*)\r$/m.exec(content)![1])
    assert.deepEqual(new Set(ids), new Set([message.email.header_message_id]))
  })

  test('expires after the attempts of the schedule', async (t) => {
    const one = await verified(t, { answers: { MAIL: '451 4.3.0 not now' } })
    const message = await one.sent()
    await settled(one, message, (delivery) => delivery.attempts === 1)
    await advance(one, 3 * 86_400)
    const after = await settled(one, message)
    assert.deepEqual(statuses(after), [['ada@example.net', 'failed', 'expired', '4.3.0']])
    assert.deepEqual([after.delivery.attempts, after.delivery.next_attempt_at], [9, null])
    succeeded(await one.client.post(`/v1/messages/${message.id}/delivery/retry`))
    const again = await settled(one, message, (delivery) => delivery.attempts === 10)
    assert.deepEqual(statuses(again), [['ada@example.net', 'queued', 'deferred', '4.3.0']])
  })

  test('whose answer is lost is handed over twice more, with the same Message-ID', async (t) => {
    const one = await verified(t, { answers: { 'end of data': drop } })
    const message = await one.sent()
    await settled(one, message, (delivery) => delivery.attempts === 1)
    await advance(one, 86_400)
    const after = await settled(one, message)
    assert.deepEqual(statuses(after), [['ada@example.net', 'failed', 'outcome_unknown', null]])
    assert.equal(one.relay.contents.length, 3)
    assert.equal(new Set(one.relay.contents).size, 1)
  })

  test('whose answer cannot be stored for a while is not handed over again', async (t) => {
    let isHeld = false
    const hold = () => {
      if (!isHeld)
        void api.db.rows(sql`with held as materialized (select id from messages for update)
          select (select count(*) from held), pg_sleep(6)`)
      isHeld = true
      return '354 go on'
    }
    const one = await verified(t, { answers: { DATA: hold } })
    const message = await one.sent()
    const after = await settled(one, message)
    assert.deepEqual(
      [isHeld, after.delivery.status, after.delivery.attempts, one.relay.contents.length],
      [true, 'sent', 1, 1],
    )
  })

  test('is sent again to those who failed when somebody asks for it', async (t) => {
    let isRefusing = true
    const one = await verified(t, {
      answers: { RCPT: () => (isRefusing ? '550 5.7.1 no' : '250 2.1.5 fine') },
    })
    const message = await one.sent()
    await settled(one, message)
    isRefusing = false
    const again = succeeded(await one.client.post(`/v1/messages/${message.id}/delivery/retry`))
    assert.equal(again.delivery.status, 'queued')
    const after = await settled(one, message)
    assert.deepEqual(statuses(after), [['ada@example.net', 'sent', null, '2.0.0']])
    const refused = await one.client.post(`/v1/messages/${message.id}/delivery/retry`)
    assert.equal(refused.body.code, 'invalid_transition')
  })

  test('to a suppressed address fails at once, and goes to the others', async (t) => {
    const one = await verified(t)
    succeeded(await one.client.post('/v1/email_suppressions', { address: 'bob@example.net' }))
    const message = await one.sent({ email: { to: ['ada@example.net', 'bob@example.net'] } })
    const after = await settled(one, message, (delivery) => delivery.attempts === 1)
    assert.deepEqual(statuses(after), [
      ['ada@example.net', 'sent', null, '2.0.0'],
      ['bob@example.net', 'failed', 'suppressed', null],
    ])
    assert.deepEqual(
      one.relay.commands.filter((line) => line.startsWith('RCPT')),
      ['RCPT TO:<ada@example.net>'],
    )
  })

  test('of the system goes to an address at most five times an hour', async (t) => {
    const one = await verified(t)
    const mails: Body[] = []
    for (let i = 0; i < 6; i++) {
      const { id } = await conversation(one.client, { mailbox_id: one.box.id })
      mails.push(await say(one.client, id, 'system', { email: { to: ['ada@example.net'] } }))
    }
    assert.deepEqual(
      mails.map(({ delivery }) => delivery.recipients[0].reason),
      [null, null, null, null, null, 'limit'],
    )
    await advance(one, 3_601)
    const { id } = await conversation(one.client, { mailbox_id: one.box.id })
    const later = await say(one.client, id, 'system', { email: { to: ['ada@example.net'] } })
    assert.equal(later.delivery.recipients[0].reason, null)
  })

  test('quotes the last public message if its mailbox says so', async (t) => {
    const one = await verified(t, {}, { quote: 'last' })
    const begun = await arrive(one.client, { to: one.box.address, body: 'My card was declined twice.' })
    const message = await say(one.client, begun.conversation_id, 'operator', { body: 'Let me check.' })
    await settled(one, message)
    assert.match(
      one.relay.contents[0]!,
      /Let me check\.\r\n\r\nOn \d{4}-\d\d-\d\d at \d\d:\d\d UTC, Ada Lovelace wrote:\r\n> My card was declined twice\./,
    )
  })
})
