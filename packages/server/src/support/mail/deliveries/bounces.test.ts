import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Body, conversation, say, shown, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { arrive, mailbox } from '@backline/test/mails.ts'
import { mail, multipart, plain } from '@backline/test/mime-mails.ts'

const api = service({ works: true })

const ada = 'ada@example.net'

/** A mail that the client has sent. */
async function sent(client: Client, to: string[] = [ada], fields: object = {}): Promise<Body> {
  const box = await mailbox(client)
  const { id } = await conversation(client, { mailbox_id: box.id })
  const message = await say(client, id, 'operator', { email: { to, ...fields } })
  return succeeded(await client.post(`/v1/messages/${message.id}/delivery`, { status: 'sent' }))
}

const shownNow = async (client: Client, { id }: Body): Promise<Body> =>
  succeeded(await client.get(`/v1/messages/${id}`))
const suppressions = async (client: Client): Promise<Body[]> =>
  succeeded(await client.get('/v1/email_suppressions')).data
const typesAfter = async (client: Client, { id }: Body): Promise<string[]> =>
  succeeded(await client.get('/v1/events?limit=100'))
    .data.filter(
      ({ type, data }: Body) =>
        type.startsWith('email_suppression.') ||
        (data.object.id === id && type === 'message.delivery_changed'),
    )
    .map(({ type }: Body) => type)
    .slice(1) // that of the report that it was sent

type Report = {
  to: string
  messageId?: string
  recipient?: string
  action?: string
  status?: string
  number?: number
}

let count = 0
const from = (to: string) =>
  `From: MAILER-DAEMON@mx.example\nTo: ${to}\nMessage-ID: <dsn-${++count}@mx.example>\nSubject: Undelivered Mail\nAuto-Submitted: auto-replied\nReturn-Path: <>`
const copyOf = (messageId: string | undefined, type = 'message/rfc822') =>
  mail(
    `Content-Type: ${type}`,
    `From: help@desk.example\nTo: ${ada}${messageId ? `\nMessage-ID: ${messageId}` : ''}\nSubject: Hello\n\nHello`,
  )
const fieldsOf = ({ recipient = ada, action = 'failed', status = '5.1.1' }: Report) =>
  `Final-Recipient: rfc822; ${recipient}\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; 550 ${status} Gone`
const status = (fields: string) =>
  mail('Content-Type: message/delivery-status', `Reporting-MTA: dns; mx.example\n\n${fields}`)
/** A report as Postfix writes it. */
const dsn = (given: Report) =>
  multipart(
    'report; report-type=delivery-status',
    [plain('I am sorry'), status(fieldsOf(given)), copyOf(given.messageId)],
    from(given.to),
  )
const abuse = (to: string, messageId: string, fields: string) =>
  multipart(
    'report; report-type=feedback-report',
    [
      plain('Complaint'),
      mail('Content-Type: message/feedback-report', `User-Agent: X/1\nVersion: 1\n${fields}`),
      copyOf(messageId),
    ],
    from(to),
  )

describe('a report of delivery', () => {
  const forms: Record<
    string,
    (message: Body) => [raw: string, smtpCode: string | null, reason: string | null]
  > = {
    'Postfix, with the copy of the mail': ({ email }) => [
      dsn({ to: email.from.address, messageId: email.header_message_id }),
      '5.1.1',
      '550 5.1.1 Gone',
    ],
    'Postfix, with its headers alone': ({ email }) => [
      multipart(
        'report; report-type=delivery-status',
        [
          plain('Sorry'),
          status(fieldsOf({ to: '' })),
          copyOf(email.header_message_id, 'text/rfc822-headers'),
        ],
        from(email.from.address),
      ),
      '5.1.1',
      '550 5.1.1 Gone',
    ],
    'Exchange, with a sub-code of two digits': ({ email }) => [
      dsn({ to: email.from.address, messageId: email.header_message_id, status: '5.1.10' }),
      '5.1.10',
      '550 5.1.10 Gone',
    ],
    'Amazon SES, with a code in parentheses': ({ email }) => [
      dsn({ to: email.from.address, messageId: email.header_message_id, status: '5.1.1 (bad destination)' }),
      '5.1.1',
      '550 5.1.1 (bad destination) Gone',
    ],
    'any, to the token of the mail and without a copy': ({ email }) => [
      dsn({ to: email.reply_to[0].address }),
      '5.1.1',
      '550 5.1.1 Gone',
    ],
    'Gmail, by a header': ({ email }) => [
      plain(
        'Address not found',
        `${from(email.from.address)}\nX-Failed-Recipients: ${ada}\nIn-Reply-To: ${email.header_message_id}`,
      ),
      null,
      null,
    ],
    'Exim, by a header': ({ email }) => [
      plain(
        'Created automatically',
        `${from(email.from.address)}\nX-Failed-Recipients: ${ada}\nReferences: ${email.header_message_id}`,
      ),
      null,
      null,
    ],
  }
  for (const [name, of] of Object.entries(forms))
    test(`bounces the recipient and makes no message: ${name}`, async () => {
      const { test: client } = await api.world()
      const message = await sent(client)
      const before = await shown(client, message.conversation_id)
      const [raw, smtpCode, reason] = of(message)
      const email = await arrive(client, raw)
      assert.deepEqual([email.status, email.reason, email.message_id], ['bounce', null, message.id])
      const { delivery, version } = await shownNow(client, message)
      const [recipient] = delivery.recipients
      assert.deepEqual(
        [delivery.status, recipient.status, recipient.smtp_code, recipient.reason],
        ['bounced', 'bounced', smtpCode, reason],
      )
      assert.equal(version, message.version + 1)
      assert.deepEqual(await shown(client, message.conversation_id), before)
      const suppressed = (await suppressions(client)).map((each) => [
        each.address,
        each.reason,
        each.message_id,
      ])
      assert.deepEqual(suppressed, smtpCode ? [[ada, 'bounce', message.id]] : [])
    })

  const statuses: [status: string, action: string, becomes: string, isSuppressed: boolean][] = [
    ['5.1.1', 'failed', 'bounced', true],
    ['5.0.0', 'failed', 'bounced', true],
    ['5.2.1', 'failed', 'bounced', true],
    ['5.2.2', 'failed', 'bounced', false],
    ['5.2.3', 'failed', 'bounced', false],
    ['5.3.4', 'failed', 'bounced', false],
    ['5.7.1', 'failed', 'bounced', false],
    ['5.7.26', 'failed', 'bounced', false],
    ['4.4.7', 'failed', 'bounced', false],
    ['2.1.5', 'delivered', 'delivered', false],
    ['4.4.1', 'delayed', 'sent', false],
    ['2.0.0', 'relayed', 'sent', false],
  ]
  test('suppresses the address for 60 days after permanent failures, but for full mailboxes, sizes and policies', async () => {
    const { test: client } = await api.world()
    for (const [code, action, becomes, isSuppressed] of statuses) {
      const to = `${code}-${action}@example.net`
      const message = await sent(client, [to])
      const { header_message_id: messageId, from } = message.email
      await arrive(client, dsn({ to: from.address, messageId, recipient: to, action, status: code }))
      assert.equal((await shownNow(client, message)).delivery.status, becomes, to)
      const [found] = succeeded(await client.get(`/v1/email_suppressions?address=${to}`)).data
      assert.equal(found !== undefined, isSuppressed, to)
      if (found) assert.equal(Date.parse(found.expires_at) - Date.parse(found.created_at), 60 * 86_400_000)
    }
  })

  test('twice changes once, and at the same moment as a report of the client', async () => {
    const { test: client } = await api.world()
    const message = await sent(client)
    const given = { to: message.email.from.address, messageId: message.email.header_message_id }
    await Promise.all([
      arrive(client, dsn(given)),
      arrive(client, dsn(given)),
      client.post(`/v1/messages/${message.id}/delivery`, { status: 'sent' }),
    ])
    assert.deepEqual((await typesAfter(client, message)).sort(), [
      'email_suppression.created',
      'message.delivery_changed',
    ])
    const { delivery } = await shownNow(client, message)
    assert.equal(delivery.status, 'bounced')
  })

  test('changes nothing for what was not sent, or not to this recipient', async () => {
    const { test: client, live } = await api.world()
    const message = await sent(client)
    const foreign = await sent(live)
    const { from, header_message_id: messageId } = message.email
    const inbound = await arrive(client, { to: from.address, messageId: '<theirs@example.net>' })
    const forged: [Report, string | null][] = [
      [{ to: from.address, messageId: '<guessed@example.com>' }, null],
      [{ to: from.address, messageId: foreign.email.header_message_id }, null],
      [{ to: from.address, messageId: '<theirs@example.net>' }, null],
      [{ to: from.address }, null],
      [{ to: from.address.replace('@', '+0123456789abcdefghjk@') }, null],
      [{ to: from.address, messageId, recipient: 'eve@example.net' }, message.id],
    ]
    for (const [given, about] of forged) {
      const email = await arrive(client, dsn(given))
      assert.deepEqual([email.status, email.message_id], ['bounce', about])
    }
    assert.deepEqual(await shownNow(client, message), message)
    assert.equal(succeeded(await live.get(`/v1/messages/${foreign.id}`)).version, foreign.version)
    assert.deepEqual(await suppressions(client), [])
    assert.equal(inbound.status, 'created')
  })

  test('counts for a message that was redacted meanwhile', async () => {
    const { test: client } = await api.world()
    const message = await sent(client)
    succeeded(await client.post(`/v1/messages/${message.id}/redact`))
    const { from, header_message_id: messageId } = message.email
    const email = await arrive(client, dsn({ to: from.address, messageId }))
    assert.equal((await shownNow(client, message)).delivery.status, 'bounced')
    assert.equal(email.conversation_id, message.conversation_id)
  })
})

describe('a report of abuse', () => {
  const cases: [name: string, fields: string, to: string[], suppressed: string[]][] = [
    [
      'suppresses whom it names for good',
      `Feedback-Type: abuse\nOriginal-Rcpt-To: <${ada}>`,
      [ada, 'bob@example.net'],
      [ada],
    ],
    ['suppresses the only recipient if it names none', 'Feedback-Type: abuse', [ada], [ada]],
    ['suppresses none of several if it names none', 'Feedback-Type: abuse', [ada, 'bob@example.net'], []],
    ['suppresses nobody else', 'Feedback-Type: abuse\nOriginal-Rcpt-To: <eve@example.net>', [ada], []],
    [
      'is no complaint if it is about authentication',
      `Feedback-Type: auth-failure\nOriginal-Rcpt-To: <${ada}>`,
      [ada],
      [],
    ],
  ]
  for (const [name, fields, to, expected] of cases)
    test(name, async () => {
      const { test: client } = await api.world()
      const message = await sent(client, to)
      const { from, header_message_id: messageId } = message.email
      const email = await arrive(client, abuse(from.address, messageId, fields))
      assert.deepEqual([email.status, email.message_id], ['bounce', message.id])
      assert.deepEqual(
        (await suppressions(client)).map((each) => [each.address, each.reason, each.expires_at]),
        expected.map((address) => [address, 'complaint', null]),
      )
      assert.deepEqual((await shownNow(client, message)).delivery, message.delivery)
    })

  test('outlasts the suppression of a bounce', async () => {
    const { test: client } = await api.world()
    const message = await sent(client)
    const { from, header_message_id: messageId } = message.email
    await arrive(client, dsn({ to: from.address, messageId }))
    await arrive(client, abuse(from.address, messageId, 'Feedback-Type: abuse'))
    assert.deepEqual(
      (await suppressions(client)).map(({ reason, expires_at }) => [reason, expires_at]),
      [['complaint', null]],
    )
    const next = await say(client, message.conversation_id, 'operator', { email: { to: [ada] } })
    assert.equal(next.delivery.recipients[0].reason, 'suppressed')
  })
})
