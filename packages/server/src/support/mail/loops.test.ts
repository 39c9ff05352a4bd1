import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type Body, conversation, operator, say, succeeded } from '@backline/test/desk.ts'
import { type Client, service } from '@backline/test/harness.ts'
import { deliver, dmarcPass, mailbox } from '@backline/test/mails.ts'
import { until } from '@backline/test/processes.ts'
import { SMTPServer } from 'smtp-server'

const api = service({ works: true, environment: { BACKLINE_SMTP_ALLOWED_NETWORKS: '127.0.0.0/8' } })

/* Programs that answer mail, among them the automatic replies of two environments, are let loose on each other. */

type Letter = { from: string; to: string; raw: string }

/** A program behind an address: it returns the mails that it sends when it gets one. */
type Program = (letter: Letter) => Letter[]

type Post = { port: number; letters: Letter[]; isQuiet(): boolean }

const headerOf = (raw: string, name: string): string =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(raw.split('\r\n\r\n')[0]!)?.[1]?.trim() ?? ''

const answer = (
  from: string,
  { raw, from: sender }: Letter,
  headers: string[],
  returnPath = from,
): Letter => {
  const to = headerOf(raw, 'Reply-To') || headerOf(raw, 'From').replace(/^.*<|>$/g, '') || sender
  const lines = [
    `From: <${from}>`,
    `To: <${to}>`,
    'Subject: Out of office',
    `Message-ID: <${randomUUID()}@${from.split('@')[1]}>`,
    'Date: Fri, 20 Nov 2026 09:29:58 +0000',
    ...headers,
    '',
    `I am away. ${randomUUID()}`,
    '',
  ]
  return { from: returnPath, to, raw: lines.join('\r\n') }
}

/** Delivers what is sent to it: to mailboxes by HTTP, as verified by DMARC, and to programs. */
async function postOffice(
  t: TestContext,
  mailboxes: Map<string, Client>,
  programs: Map<string, Program>,
): Promise<Post> {
  const letters: Letter[] = []
  let underWay = 0
  const carry = async (letter: Letter): Promise<void> => {
    underWay++
    letters.push(letter)
    const address = letter.to.toLowerCase().replace(/\+[^@]*/, '')
    const client = mailboxes.get(address)
    if (client) {
      const raw = `${dmarcPass(headerOf(letter.raw, 'From').replace(/^.*@|>.*$/g, ''))}\r\n${letter.raw}`
      succeeded(await deliver(client, raw, { rcpt_to: letter.to, mail_from: letter.from }))
    }
    for (const sent of programs.get(address)?.(letter) ?? []) await carry(sent)
    underWay--
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData(stream, { envelope }, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        done()
        const raw = Buffer.concat(pieces).toString()
        const from = envelope.mailFrom ? envelope.mailFrom.address : ''
        for (const { address } of envelope.rcptTo) void carry({ from, to: address, raw })
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  t.after(() => new Promise<void>((resolve) => server.close(resolve)))
  return { port: (server.server.address() as AddressInfo).port, letters, isQuiet: () => underWay === 0 }
}

/** True if no mail of an environment waits, in either direction. */
async function isIdle(client: Client): Promise<boolean> {
  const { data } = succeeded(await client.get('/v1/inbound_emails?status=received'))
  const events: Body[] = []
  for (let cursor = ''; ; ) {
    const page = succeeded(await client.get(`/v1/events?limit=100${cursor}`))
    events.push(...page.data)
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  const queued = new Map<string, string>()
  for (const { type, data: subject } of events)
    if (type === 'message.created' || type === 'message.delivery_changed')
      queued.set(subject.object.id, subject.object.delivery?.status)
  return data.length === 0 && ![...queued.values()].includes('queued')
}

test('replies of two environments and of other programs end, and are few', async (t) => {
  const mailboxes = new Map<string, Client>()
  const programs = new Map<string, Program>([
    [
      'vacation@example.net',
      (mail) => [answer('vacation@example.net', mail, ['Auto-Submitted: auto-replied'])],
    ],
    // It says of nothing that it is automatic, and it names nothing that it answers.
    ['rude@example.net', (mail) => [answer('rude@example.net', mail, [])]],
    [
      'rude-reply@example.net',
      (mail) => [
        answer('rude-reply@example.net', mail, [`In-Reply-To: ${headerOf(mail.raw, 'Message-ID')}`]),
      ],
    ],
    [
      'stubborn@example.net', // It answers the sender and not the Reply-To: each answer begins a conversation.
      (mail) => [
        answer('stubborn@example.net', { ...mail, raw: mail.raw.replace(/^Reply-To: .*\r\n/m, '') }, []),
      ],
    ],
    ['list@example.net', (mail) => [answer('list@example.net', mail, ['List-Id: <all.example.net>'])]],
    ['full@example.net', (mail) => [answer('full@example.net', mail, [], '')]],
  ])
  const post = await postOffice(t, mailboxes, programs)
  const smtp = { host: '127.0.0.1', port: post.port, security: 'none' }
  const desks = await Promise.all(
    [1, 2].map(async () => {
      const { test: client } = await api.world()
      const template = succeeded(
        await client.post('/v1/message_templates', { name: 'Received', body: 'We have got your mail.' }),
      )
      const box = await mailbox(client, {
        outbound: 'smtp',
        smtp,
        rate_per_minute: 6_000,
        trusted_authserv_ids: ['mx.example.com'],
        auto_reply: { template_id: template.id, to: 'anyone' },
      })
      mailboxes.set(box.address, client)
      assert.equal(
        succeeded(await client.post(`/v1/mailboxes/${box.id}/verify`, { to: 'me@example.com' })).ok,
        true,
      )
      return { client, box, by: await operator(client) }
    }),
  )
  const [one, other] = desks as [(typeof desks)[0], (typeof desks)[0]]
  post.letters.length = 0
  for (const to of [...programs.keys(), other.box.address]) {
    const { id } = await conversation(one.client, { mailbox_id: one.box.id })
    await say(one.client, id, 'operator', { operator_id: one.by, email: { to: [to] } })
  }
  // Somebody writes to one in the name of the other.
  const forged = answer(
    other.box.address,
    { from: '', to: '', raw: `From: <${one.box.address}>\r\n\r\n` },
    [],
  )
  succeeded(await deliver(one.client, forged.raw, { rcpt_to: one.box.address, mail_from: forged.from }))
  const start = 1_000
  await until('all is quiet', async () => {
    assert.ok(post.letters.length < start, 'the mails do not end')
    const sent = post.letters.length
    if (!post.isQuiet()) return false // a mail on its way is in no list
    const isIdleTogether = (await isIdle(one.client)) && (await isIdle(other.client))
    return isIdleTogether && post.letters.length === sent
  })
  const to = (address: string) =>
    post.letters.filter((letter) => letter.to.replace(/\+[^@]*/, '') === address).length
  const counts = Object.fromEntries([...programs.keys()].map((address) => [address, to(address)]))
  assert.deepEqual(counts, {
    'vacation@example.net': 1,
    'rude@example.net': 1, // its answer to a token is no new conversation
    'rude-reply@example.net': 1,
    'stubborn@example.net': 1 + 5, // the most automatic replies to an address within an hour
    'list@example.net': 1,
    'full@example.net': 1,
  })
  assert.equal(to(other.box.address), 1 + 1, 'the mail of an operator, and the reply to what was forged')
  assert.equal(to(one.box.address), 11 + 1, 'the answers of the programs, and the reply to the operator')
})
