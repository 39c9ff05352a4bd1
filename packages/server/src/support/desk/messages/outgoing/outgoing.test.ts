import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, conversation, operator, say, shown, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { arrive, dmarcPass, mailbox } from '@backline/test/mails.ts'

const api = service({ works: true })

test('each public message of an operator in a conversation with a mailbox is a mail that the client sends', async () => {
  const { test: client } = await api.world()
  const box = await mailbox(client, {
    from_name: '{{ operator.name }} of Acme',
    signature: 'Yours, **{{ operator.name }}**',
  })
  const [local, domain] = box.address.split('@')
  const begun = await arrive(client, { to: box.address, messageId: '<begin@example.net>' })
  const id = await operator(client, { name: 'Grace' })
  const sent = await say(client, begun.conversation_id, 'operator', {
    operator_id: id,
    body: 'Let me check.',
  })
  const { email, delivery } = sent
  assert.deepEqual(
    [email.direction, email.mailbox_id, email.in_reply_to, email.references, email.subject],
    ['outbound', box.id, '<begin@example.net>', ['<begin@example.net>'], 'Re: Card declined'],
  )
  assert.deepEqual(email.from, { address: box.address, name: 'Grace of Acme' })
  assert.deepEqual(email.to, [{ address: 'ada@example.net', name: 'Ada Lovelace' }])
  assert.match(email.header_message_id, new RegExp(`^<[0-9a-f]{32}@${domain}>$`))
  assert.match(email.reply_to[0].address, new RegExp(`^${local}\\+[0-9a-z]{20}@${domain}$`))
  assert.deepEqual(
    [delivery.status, delivery.recipients.map((each: Body) => [each.address, each.kind, each.status])],
    ['queued', [['ada@example.net', 'to', 'queued']]],
  )
  const whole = succeeded(await client.get(`/v1/messages/${sent.id}/email`))
  assert.match(whole.text, /^Let me check\.\n\n-- \nYours, \*\*Grace\*\*\n$/)
  assert.match(whole.html, /Let me check\..*Yours, <strong>Grace<\/strong>/s)
  const note = await say(client, begun.conversation_id, 'operator', { visibility: 'internal' })
  assert.deepEqual([note.email, note.delivery], [null, null])

  const token = email.reply_to[0].address.toUpperCase()
  const reply = await arrive(client, { to: token, subject: 'Something else', body: 'Thanks!' })
  assert.deepEqual(
    [reply.threaded_by, reply.conversation_id, reply.end_user_id, reply.authentication.basis],
    ['token', begun.conversation_id, begun.end_user_id, 'reply'],
  )
  const own = await arrive(client, { to: box.address, messageId: email.header_message_id })
  assert.deepEqual([own.status, own.reason], ['ignored', 'own_message'])
})

test('mailboxes whom a request names join no conversation, and an archived one sends nothing', async () => {
  const { test: client } = await api.world()
  const [box, other] = [await mailbox(client), await mailbox(client, { aliases: ['help@example.org'] })]
  const { id } = await conversation(client, { mailbox_id: box.id })
  await say(client, id, 'operator', {
    email: { to: [other.address, 'help+1@example.org', 'bob@example.org'] },
  })
  const { participants } = succeeded(await client.get(`/v1/conversations/${id}`))
  assert.deepEqual(
    participants.map((each: Body) => each.address),
    ['bob@example.org'],
  )
  succeeded(await client.patch(`/v1/mailboxes/${box.id}`, { archived: true }))
  const body = { author_side: 'operator', body: 'Hello', operator_id: await operator(client) }
  const refused = await client.post(`/v1/conversations/${id}/messages`, {
    ...body,
    email: { to: ['eve@example.org'] },
  })
  assert.deepEqual(
    [refused.status, refused.body.errors[0].pointer, refused.body.errors[0].code],
    [422, '/email', 'not_allowed'],
  )
  const without = await say(client, id, 'operator')
  assert.deepEqual([without.email, without.delivery], [null, null])
})

test('a request names the recipients and the subject, and those become confirmed participants', async () => {
  const { test: client } = await api.world()
  const box = await mailbox(client)
  const { id } = await conversation(client, { mailbox_id: box.id })
  const sent = await say(client, id, 'operator', {
    email: {
      to: ['Bob@example.org'],
      cc: ['carol@example.org'],
      bcc: ['dave@example.org'],
      subject: 'Your order',
    },
  })
  assert.deepEqual(
    [
      sent.email.subject,
      ...['to', 'cc', 'bcc'].map((kind) => sent.email[kind].map((each: Body) => each.address)),
    ],
    ['Your order', ['bob@example.org'], ['carol@example.org'], ['dave@example.org']],
  )
  const { participants } = await shown(client, id)
  assert.deepEqual(
    participants.map((each: Body) => [each.address, each.confirmed]),
    [
      ['bob@example.org', true],
      ['carol@example.org', true],
    ],
  )
  const recorded = await say(client, id, 'operator', { email: { send: false } })
  assert.deepEqual([recorded.delivery, recorded.email.direction], [null, 'outbound'])
})

test('a mail without a mailbox, of an end user or of a note is refused', async () => {
  const { test: client } = await api.world()
  const { id } = await conversation(client)
  const box = await mailbox(client)
  const mailed = await conversation(client, { mailbox_id: box.id })
  for (const [path, fields] of [
    [id, { author_side: 'operator' }],
    [mailed.id, { author_side: 'end_user' }],
    [mailed.id, { author_side: 'operator', visibility: 'internal' }],
  ] as const) {
    const { status, body } = await client.post(`/v1/conversations/${path}/messages`, {
      body: 'x',
      email: {},
      ...fields,
    })
    assert.deepEqual(
      [status, body.errors?.[0].pointer, body.errors?.[0].code],
      [422, '/email', 'not_allowed'],
    )
  }
})

test('suppressed recipients have failed, and a mail to nobody has', async () => {
  const { test: client } = await api.world()
  const box = await mailbox(client, { trusted_authserv_ids: ['mx.example.com'] })
  succeeded(await client.post('/v1/email_suppressions', { address: 'ada@example.net', reason: 'manual' }))
  const begun = await arrive(client, {
    to: box.address,
    top: [dmarcPass('example.net')],
    headers: ['Cc: bob@example.org'],
  })
  const sent = await say(client, begun.conversation_id, 'operator')
  assert.deepEqual(
    sent.delivery.recipients.map((each: Body) => [each.address, each.status, each.reason]),
    [
      ['ada@example.net', 'failed', 'suppressed'],
      ['bob@example.org', 'queued', null],
    ],
  )
  assert.equal(sent.delivery.status, 'failed')
  const { id } = await conversation(client, { mailbox_id: box.id })
  assert.deepEqual((await say(client, id, 'operator')).delivery.status, 'failed')
})
