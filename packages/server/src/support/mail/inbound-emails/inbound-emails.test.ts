import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { service } from '@backline/test/harness.ts'
import { arrive, deliver, mail, mailbox, processed } from '@backline/test/mails.ts'
import { receiveEmail, smallBytes } from './receiving.ts'

const api = service({ works: true })

test('a mail begins a conversation of a new end user, with its text, its mail and its event', async () => {
  const { test: client } = await api.world()
  const { id, address } = await mailbox(client)
  const raw = mail({ to: address })
  const answer = await deliver(client, raw)
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.headers.get('location'), `/v1/inbound_emails/${answer.body.id}`)
  const email = await processed(client, answer.body.id)
  assert.deepEqual(
    [email.status, email.reason, email.mailbox_id, email.source, email.threaded_by, email.size_bytes],
    ['created', null, id, 'api', null, raw.length],
  )
  assert.deepEqual(email.from, { address: 'ada@example.net', name: 'Ada Lovelace' })
  const conversation = succeeded(await client.get(`/v1/conversations/${email.conversation_id}`))
  assert.deepEqual(
    [conversation.channel, conversation.initiated_by_side, conversation.mailbox_id, conversation.subject],
    ['email', 'end_user', id, 'Card declined'],
  )
  assert.equal(conversation.end_user_id, email.end_user_id)
  const person = succeeded(await client.get(`/v1/end_users/${email.end_user_id}`))
  assert.deepEqual(
    [person.name, person.external_id, person.emails[0].verified],
    ['Ada Lovelace', null, false],
  )
  const message = succeeded(await client.get(`/v1/messages/${email.message_id}`))
  assert.deepEqual(
    [message.body, message.body_format, message.author_side],
    ['My card was declined twice.', 'text', 'end_user'],
  )
  assert.deepEqual(
    [message.email.direction, message.email.inbound_email_id, message.email.subject, message.email.quoted],
    ['inbound', email.id, 'Card declined', null],
  )
  const { data } = succeeded(await client.get('/v1/events?types=message.created,inbound_email.processed'))
  assert.deepEqual(data.map(({ type, actor }: Body) => [type, actor.type, actor.id]).sort(), [
    ['inbound_email.processed', 'mailbox', id],
    ['message.created', 'mailbox', id],
  ])
  const bytes = await client.get(`/v1/inbound_emails/${email.id}/raw`)
  assert.equal(bytes.text, raw)
  assert.match(bytes.headers.get('content-disposition')!, /^attachment/)
})

test('paths of the envelope may have the angle brackets of SMTP', async () => {
  const { test: client } = await api.world()
  const { id, address } = await mailbox(client)
  const read = async (mail_from: string, rcpt_to: string) => {
    const email = await arrive(client, {}, { mail_from, rcpt_to })
    return [email.mailbox_id, email.mail_from, email.automatic]
  }
  assert.deepEqual(await read('<ada@example.net>', `<${address}>`), [id, 'ada@example.net', null])
  const plain = await read('', address)
  assert.deepEqual(plain.slice(0, 2), [id, ''])
  assert.deepEqual(await read('<>', `<${address}>`), plain)
})

test('a mail that arrives twice is counted once more, by whatever route and with other line ends', async () => {
  const { test: client } = await api.world()
  const { address } = await mailbox(client)
  const raw = mail({ to: address })
  const [first, second] = await Promise.all([deliver(client, raw), deliver(client, raw)])
  assert.deepEqual([first.status, second.status].sort(), [200, 202])
  const third = await deliver(client, `Received: from here\r\n${raw.replaceAll('\r\n', '\n')}\n\n`)
  assert.deepEqual([third.status, third.body.id, third.body.duplicate_count], [200, first.body.id, 2])
  const email = await processed(client, first.body.id)
  const { data } = succeeded(await client.get('/v1/conversations'))
  assert.deepEqual(
    data.map(({ id }: Body) => id),
    [email.conversation_id],
  )
})

test('a reply joins the conversation of the mail that it names, and never that of its subject', async () => {
  const { test: client } = await api.world()
  const { address } = await mailbox(client)
  const first = await arrive(client, { to: address, messageId: '<one@example.net>' })
  const reply = await arrive(client, {
    to: address,
    subject: 'Re: Card declined',
    headers: ['In-Reply-To: <one@example.net>'],
    body: 'Once more.',
  })
  assert.deepEqual(
    [reply.status, reply.threaded_by, reply.conversation_id, reply.end_user_id],
    ['threaded', 'in_reply_to', first.conversation_id, first.end_user_id],
  )
  const other = await arrive(client, { to: address, subject: 'Re: Card declined', body: 'Again.' })
  assert.equal(other.status, 'created')
  assert.equal(other.end_user_id, first.end_user_id)
})

test('the refusal of a compressed mail names its encoding, not the media type, which is right', async () => {
  const { test: client } = await api.world()
  const answer = await client.post('/v1/inbound_emails', mail(), {
    'content-type': 'message/rfc822',
    'content-encoding': 'gzip',
  })
  assert.deepEqual([answer.status, answer.body.params.encoding], [415, 'gzip'])
})

test('a large mail arrives in a directory that the next process removes if this one is killed', async () => {
  const { path, discard } = await receiveEmail(
    (async function* () {
      yield Buffer.alloc(smallBytes + 1, 'a')
    })(),
  )
  assert.match(basename(dirname(path!)), /^backline-job-/)
  await discard()
  assert.equal(existsSync(dirname(path!)), false)
})
