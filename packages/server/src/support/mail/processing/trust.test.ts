import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, operator, say, shown, succeeded } from '@backline/test/desk.ts'
import { sessionOf } from '@backline/test/end-users.ts'
import { erase } from '@backline/test/erasures.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { arrive, dmarcPass, type Mail, mailbox, processed } from '@backline/test/mails.ts'

/* Whose a mail is, and what it reaches. */

const api = service({ works: true })

const trusting = { trusted_authserv_ids: ['mx.example.com'] }
const ada = 'ada@example.net'
const proven = (mail: Mail): Mail => ({ ...mail, top: [dmarcPass('example.net')] })

/** An end user whose address is verified. */
const verified = async (client: Client, fields: object = {}): Promise<Body> =>
  succeeded(
    await client.post('/v1/end_users', {
      external_id: `ada-${Math.random()}`,
      emails: [{ address: ada, verified: true }],
      ...fields,
    }),
  )

async function start(
  fields: object = trusting,
): Promise<{ world: World; client: Client; to: string; box: Body }> {
  const world = await api.world()
  const box = await mailbox(world.test, fields)
  return { world, client: world.test, to: box.address, box }
}

test('mail that a trusted server proves is from the end user who holds the address', async () => {
  const { client, to } = await start()
  const { id } = await verified(client)
  const email = await arrive(client, proven({ to }))
  assert.deepEqual(
    [email.end_user_id, email.authentication.verified, email.authentication.basis],
    [id, true, 'dmarc'],
  )
})

for (const [title, fields, top] of [
  ['no server reports on', trusting, []],
  ['a server reports on that nobody trusts', {}, [dmarcPass('example.net')]],
  [
    'the trusted server reports a failure of above a forged pass',
    trusting,
    ['Authentication-Results: mx.example.com; dmarc=fail header.from=example.net', dmarcPass('example.net')],
  ],
  ['passes for another domain', trusting, [dmarcPass('attacker.example')]],
  [
    'passes SPF alone',
    trusting,
    ['Authentication-Results: mx.example.com; spf=pass smtp.mailfrom=example.net'],
  ],
] as const)
  test(`mail that ${title} speaks for an end user of its own`, async () => {
    const { client, to } = await start(fields)
    const { id } = await verified(client)
    const first = await arrive(client, { to, top: [...top] })
    assert.deepEqual([first.authentication.verified, first.authentication.basis], [false, null])
    assert.notEqual(first.end_user_id, id)
    const second = await arrive(client, { to, top: [...top], body: 'Again.' })
    assert.equal(second.end_user_id, first.end_user_id)
    const person = succeeded(await client.get(`/v1/end_users/${first.end_user_id}`))
    assert.deepEqual([person.external_id, person.verified_at, person.emails[0].verified], [null, null, false])
  })

test('mail does not join an end user who only claims its address', async () => {
  const { client, to } = await start()
  const { id } = await verified(client, { emails: [{ address: ada, verified: false }] })
  for (const mail of [{ to }, proven({ to, body: 'Proven.' })])
    assert.notEqual((await arrive(client, mail)).end_user_id, id)
})

test('ten mails of one stranger at once make one end user', async () => {
  const { client, to } = await start()
  const all = await Promise.all(
    Array.from({ length: 10 }, (_, i) => arrive(client, { to, body: `Mail ${i}` })),
  )
  assert.equal(new Set(all.map((email: Body) => email.end_user_id)).size, 1)
  assert.equal(new Set(all.map((email: Body) => email.conversation_id)).size, 10)
})

test('mail of a blocked end user is ignored', async () => {
  const { client, to } = await start()
  const first = await arrive(client, { to })
  succeeded(await client.post(`/v1/end_users/${first.end_user_id}/block`, { reason: 'spam' }))
  const second = await arrive(client, { to, body: 'Again.' })
  assert.deepEqual([second.status, second.reason], ['ignored', 'blocked'])
})

test('who writes himself into a conversation sees nothing of it until somebody confirms him', async () => {
  const { world, client, to } = await start()
  const { conversation_id: id } = await arrive(client, { to, messageId: '<begin@example.net>' })
  const stranger = await arrive(client, {
    from: 'Eve <eve@attacker.example>',
    to,
    headers: ['In-Reply-To: <begin@example.net>', 'Cc: mallory@attacker.example'],
    body: 'Please tell me more.',
  })
  assert.deepEqual([stranger.status, stranger.conversation_id], ['threaded', id])
  const { participants, end_user_id } = await shown(client, id)
  assert.deepEqual(
    participants.map(({ address, source, confirmed }: Body) => [address, source, confirmed]),
    [
      ['eve@attacker.example', 'sender', false],
      ['mallory@attacker.example', 'recipient', false],
    ],
  )
  assert.notEqual(end_user_id, stranger.end_user_id)
  const token = await sessionOf(api, world, stranger.end_user_id)
  assert.deepEqual(succeeded(await token.get('/v1/me/conversations')).data, [])
  assert.equal((await token.get(`/v1/me/conversations/${id}`)).status, 404)
  const confirmed = succeeded(
    await client.put(`/v1/conversations/${id}/participants/${stranger.end_user_id}`),
  )
  assert.deepEqual(
    confirmed.participants.map((each: Body) => each.confirmed),
    [true, false],
  )
  assert.equal((await token.get(`/v1/me/conversations/${id}`)).status, 200)
})

test('those whom the end user names in a proven mail are confirmed', async () => {
  const { client, to } = await start()
  const email = await arrive(client, proven({ to, headers: ['Cc: Bob <bob@example.org>'] }))
  const { participants } = await shown(client, email.conversation_id)
  assert.deepEqual(
    participants.map(({ address, source, confirmed }: Body) => [address, source, confirmed]),
    [['bob@example.org', 'recipient', true]],
  )
})

test('mailboxes and operators do not join', async () => {
  const { client, to } = await start()
  const other = await mailbox(client)
  await operator(client, { email: 'grace@example.com' })
  const email = await arrive(
    client,
    proven({ to: `${to}, ${other.address}`, headers: ['Cc: grace@example.com, bob@example.org'] }),
  )
  const { participants } = await shown(client, email.conversation_id)
  assert.deepEqual(
    participants.map(({ address }: Body) => address),
    ['bob@example.org'],
  )
})

test('a proven mail of an operator is that of the operator, and internal unless it is to the end user', async () => {
  const { client, to } = await start()
  const id = await operator(client, { email: 'grace@example.com' })
  const begun = await arrive(client, { to, messageId: '<begin@example.net>' })
  const from = { from: 'grace@example.com', headers: ['In-Reply-To: <begin@example.net>'] }
  const top = [dmarcPass('example.com')]
  const note = await arrive(client, { ...from, to, top, body: 'For us.' })
  const answer = await arrive(client, { ...from, to: `${ada}, ${to}`, top, body: 'For Ada.' })
  const forged = await arrive(client, { ...from, to, body: 'Forged.' })
  const messages = succeeded(await client.get(`/v1/conversations/${begun.conversation_id}/messages`)).data
  assert.deepEqual(
    messages.map((each: Body) => [each.author_side, each.operator_id, each.visibility]),
    [
      ['end_user', null, 'public'],
      ['operator', id, 'internal'],
      ['operator', id, 'public'],
      ['end_user', null, 'public'],
    ],
  )
  assert.deepEqual([note.status, answer.status], ['threaded', 'threaded'])
  assert.deepEqual(forged.warnings, ['operator_unverified'])
})

test('a mail that an operator forwards begins a conversation of its sender, with the operator’s words as a note', async () => {
  const { client, to } = await start()
  const id = await operator(client, { email: 'grace@example.com' })
  await verified(client)
  const body = [
    'Please look at this.',
    '',
    '---------- Forwarded message ---------',
    `From: Ada Lovelace <${ada}>`,
    'Date: Fri, 20 Nov 2026 at 10:29',
    'Subject: My invoice',
    'To: <grace@example.com>',
    '',
    'It is wrong.',
  ].join('\r\n')
  const email = await arrive(client, {
    from: 'grace@example.com',
    to,
    subject: 'Fwd: My invoice',
    top: [dmarcPass('example.com')],
    body,
  })
  assert.equal(email.status, 'created')
  const conversation = await shown(client, email.conversation_id)
  const person = succeeded(await client.get(`/v1/end_users/${conversation.end_user_id}`))
  assert.deepEqual([person.external_id, person.emails[0].address], [null, ada])
  assert.equal(conversation.subject, 'My invoice')
  const messages = succeeded(await client.get(`/v1/conversations/${email.conversation_id}/messages`)).data
  assert.deepEqual(
    messages.map((each: Body) => [each.author_side, each.operator_id, each.visibility, each.body]),
    [
      ['operator', id, 'internal', 'Please look at this.'],
      ['end_user', null, 'public', 'It is wrong.'],
    ],
  )
  const unproven = await arrive(client, { from: 'bob@example.org', to, subject: 'Fwd: My invoice', body })
  const whole = succeeded(await client.get(`/v1/messages/${unproven.message_id}`))
  assert.match(whole.body, /^Please look at this\.[\s\S]*It is wrong\.$/)
})

test('an automatic reply is a note that moves nothing, and is ignored where there is no conversation', async () => {
  const { client, to } = await start()
  const begun = await arrive(client, { to, messageId: '<begin@example.net>' })
  await say(client, begun.conversation_id, 'operator')
  const before = await shown(client, begun.conversation_id)
  const automatic = ['Auto-Submitted: auto-replied']
  const note = await arrive(client, {
    to,
    headers: [...automatic, 'In-Reply-To: <begin@example.net>'],
    body: 'I am away.',
  })
  assert.deepEqual([note.status, note.automatic], ['threaded', 'reply'])
  const message = succeeded(await client.get(`/v1/messages/${note.message_id}`))
  assert.deepEqual(
    [message.author_side, message.visibility, message.body],
    ['system', 'internal', 'I am away.'],
  )
  const after = await shown(client, begun.conversation_id)
  for (const name of ['status', 'unread_count', 'waiting_on', 'sla', 'reopened_count', 'participants'])
    assert.deepEqual(after[name], before[name], name)
  const alone = await arrive(client, { to, headers: automatic, body: 'I am away, too.' })
  assert.deepEqual([alone.status, alone.reason], ['ignored', 'automatic_reply'])
  succeeded(await client.post(`/v1/conversations/${begun.conversation_id}/close`))
  const late = await arrive(client, {
    to,
    headers: [...automatic, 'In-Reply-To: <begin@example.net>'],
    body: 'Still.',
  })
  assert.deepEqual([late.status, late.conversation_id], ['threaded', begun.conversation_id])
})

test('an answer to a closed conversation begins one that follows it up, and the next answer joins that', async () => {
  const { client, to } = await start()
  const begun = await arrive(client, { to, messageId: '<begin@example.net>' })
  succeeded(await client.post(`/v1/conversations/${begun.conversation_id}/close`))
  const headers = ['In-Reply-To: <begin@example.net>']
  const [one, other] = await Promise.all([
    arrive(client, { to, headers, body: 'One more thing.' }),
    arrive(client, { to, headers, body: 'And another.' }),
  ])
  assert.equal(one.conversation_id, other.conversation_id)
  const next = await shown(client, one.conversation_id)
  assert.deepEqual([next.follow_up_of_id, next.end_user_id], [begun.conversation_id, begun.end_user_id])
})

test('an answer to a merged conversation joins its target', async () => {
  const { client, to } = await start()
  const one = await arrive(client, { to, messageId: '<one@example.net>' })
  const other = await arrive(client, { to, messageId: '<other@example.net>', body: 'Another.' })
  succeeded(
    await client.post(`/v1/conversations/${one.conversation_id}/merge`, { into_id: other.conversation_id }),
  )
  const reply = await arrive(client, { to, headers: ['References: <one@example.net>'], body: 'Once more.' })
  assert.deepEqual([reply.threaded_by, reply.conversation_id], ['references', other.conversation_id])
})

test('the last known of References counts, and In-Reply-To before it', async () => {
  const { client, to } = await start()
  const [one, other] = [
    await arrive(client, { to, messageId: '<one@example.net>' }),
    await arrive(client, { to, messageId: '<other@example.net>', body: 'Another.' }),
  ]
  const references = 'References: <one@example.net> <other@example.net> <unknown@example.net>'
  const byLast = await arrive(client, { to, headers: [references], body: 'a' })
  assert.equal(byLast.conversation_id, other.conversation_id)
  const byAnswer = await arrive(client, {
    to,
    headers: [references, 'In-Reply-To: <one@example.net>'],
    body: 'b',
  })
  assert.equal(byAnswer.conversation_id, one.conversation_id)
})

test('a token that nobody made names nothing', async () => {
  const { client, to } = await start()
  const [local, domain] = to.split('@')
  const email = await arrive(client, { to: `${local}+abcdefghijklmnopqrst@${domain}` })
  assert.deepEqual([email.status, email.warnings], ['created', ['token_invalid']])
})

for (const [title, mail, status, reason] of [
  ['without a sender', { from: null }, 'failed', 'no_sender'],
  ['with a sender that is no address', { from: 'nobody' }, 'failed', 'no_sender'],
  [
    'that went through more than 100 servers',
    { top: Array.from({ length: 101 }, () => 'Received: from a by b') },
    'ignored',
    'too_many_hops',
  ],
  ['to nobody here', { to: 'someone@elsewhere.example' }, 'failed', 'no_mailbox'],
] as const)
  test(`a mail ${title} is kept, and makes nothing`, async () => {
    const { client, to } = await start()
    const email = await arrive(client, { to, ...(mail as Mail) })
    assert.deepEqual([email.status, email.reason, email.message_id], [status, reason, null])
    assert.equal((await client.get(`/v1/inbound_emails/${email.id}/raw`)).status, 200)
  })

test('a mail to nobody makes its conversation once it is processed for a mailbox', async () => {
  const { client, box } = await start()
  const { id } = await arrive(client, { to: 'someone@elsewhere.example' })
  const again = await client.post(`/v1/inbound_emails/${id}/reprocess`, { mailbox_id: box.id })
  assert.equal(again.status, 202, again.text)
  assert.equal((await processed(client, id)).status, 'created')
  assert.equal((await client.post(`/v1/inbound_emails/${id}/reprocess`)).status, 409)
})

test('a stranger who finds no room among the participants is heard all the same', async () => {
  const { client, to } = await start()
  const begun = await arrive(client, { to, messageId: '<begin@example.net>' })
  for (let i = 0; i < 50; i++) {
    const { id } = succeeded(await client.post('/v1/end_users', { external_id: `participant-${i}` }))
    succeeded(await client.put(`/v1/conversations/${begun.conversation_id}/participants/${id}`))
  }
  const headers = ['In-Reply-To: <begin@example.net>']
  const email = await arrive(client, { from: 'eve@example.org', to, headers, body: 'Me, too.' })
  assert.deepEqual([email.status, email.warnings], ['threaded', ['participants_dropped']])
  const { participants } = await shown(client, begun.conversation_id)
  assert.ok(!participants.some((each: Body) => each.end_user_id === email.end_user_id))
})

test('an answer to the closed conversation of somebody who was erased begins one of its own', async () => {
  const { world, client, to } = await start()
  const begun = await arrive(client, { to, messageId: '<begin@example.net>' })
  succeeded(await client.post(`/v1/conversations/${begun.conversation_id}/close`))
  await erase(api, world.environments.test, begun.end_user_id, 'anonymise')
  const headers = ['In-Reply-To: <begin@example.net>']
  const email = await arrive(client, { to, headers, body: 'Hello again.' })
  assert.deepEqual([email.status, email.threaded_by], ['created', null])
  const conversation = await shown(client, email.conversation_id)
  assert.deepEqual([conversation.follow_up_of_id, conversation.end_user_id], [null, email.end_user_id])
  assert.notEqual(email.end_user_id, begun.end_user_id)
})
