import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { needsPostfix, type Postfix, startPostfix } from '@backline/test/postfix.ts'
import { cleanUp, until } from '@backline/test/processes.ts'
import { certificate } from '@backline/test/receivers.ts'
import { addressList } from '../../../platform/kernel/networks.ts'
import { composeMail, type MailParts } from './composing.ts'
import { type MailListener, startMailListener } from './listening.ts'
import { openRelays } from './relays.ts'
import type { RelaySettings } from './settings.ts'

/* Mails go through the real Postfix: from the client by SMTP with STARTTLS, and by LMTP to the listener. */

type Taken = { mailFrom: string; rcpt: string[]; head: string; size: number; sha256: string }

describe('through Postfix', needsPostfix, () => {
  const taken: Taken[] = []
  const away = new Set<string>()
  let listener: MailListener
  let postfix: Postfix
  const relays = openRelays({
    allowed: addressList(['127.0.0.1']),
    resolve: async () => ['127.0.0.1'],
    certificateAuthorities: [certificate('authority')],
  })

  async function take(mailFrom: string, rcpt: string[], bytes: Readable): Promise<'stored'> {
    const hash = createHash('sha256')
    let [size, head] = [0, '']
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      if (head.length < 65_536) head += piece.toString('latin1')
      size += piece.length
      hash.update(piece)
    }
    const key = /^Subject: (.*)\r$/m.exec(head)?.[1] ?? ''
    if (away.delete(key)) throw new Error('the database is away')
    taken.push({ mailFrom, rcpt, head, size, sha256: hash.digest('hex') })
    return 'stored'
  }

  before(async () => {
    listener = await startMailListener<string>({
      listen: { protocol: 'lmtp', at: { host: '127.0.0.1', port: 0 } },
      allowed: addressList(['127.0.0.1']),
      resolve: async (address) =>
        address.startsWith('unknown')
          ? 'unknown'
          : address.startsWith('both')
            ? 'ambiguous'
            : { ok: address },
      take: ({ mailFrom, rcpt }, bytes) =>
        take(
          mailFrom,
          rcpt.map(({ address }) => address),
          bytes,
        ),
      log: { error: () => undefined },
    })
    postfix = await startPostfix(listener.port!)
  })
  after(async () => {
    relays.close()
    await postfix?.stop()
    await listener?.stop()
    await cleanUp()
  })

  const parts = (subject: string, given: Partial<MailParts> = {}): MailParts => ({
    from: { address: 'sender@desk.test', name: 'Desk' },
    to: [{ address: 'desk@desk.test' }],
    subject,
    messageId: `${subject}@desk.test`,
    date: new Date(),
    text: `.\r\n..\r\nFrom here\r\n${subject}\r\n`,
    html: '<p>Hello</p>',
    ...given,
  })

  async function send(to: string[], mail: MailParts) {
    const { size, needsUtf8, stream } = composeMail(mail)
    const settings: RelaySettings = {
      host: 'receiver.test',
      port: postfix.port,
      security: 'starttls',
      username: null,
      password: null,
    }
    const outgoing = { from: 'sender@desk.test', to, size, needsUtf8, content: async () => stream() }
    const { recipients } = await relays.send(settings, outgoing, new AbortController().signal)
    return recipients
  }

  const arrived = (what: string, is: (mail: Taken) => boolean) =>
    until(
      () => `${what} arrives: ${postfix.log()}`,
      () => taken.find(is),
    )
  const about = (subject: string) => (mail: Taken) => mail.head.includes(`\nSubject: ${subject}\r\n`)

  test('a mail arrives with its envelope and its content', async () => {
    const recipients = await send(
      ['desk@desk.test', 'desk+token@desk.test', 'sales@elsewhere.test'],
      parts('plain'),
    )
    assert.deepEqual(
      recipients.map(({ status, code }) => [status, code]),
      [
        ['accepted', 250],
        ['accepted', 250],
        ['refused', 554],
      ],
    )
    const mail = await arrived('the mail', about('plain'))
    assert.equal(mail.mailFrom, 'sender@desk.test')
    assert.deepEqual(mail.rcpt.toSorted(), ['desk+token@desk.test', 'desk@desk.test'])
    assert.match(mail.head, /\r\n\r\n\.\r\n\.\.\r\nFrom here\r\nplain\r\n/)
    assert.match(mail.head, /^Received: .*\r\n.* with ESMTPS id /m)
  })

  test('a mail of 20 MiB arrives', async () => {
    const bytes = 14 * 2 ** 20
    const content = async () => Readable.from([Buffer.alloc(bytes / 2, 'ab'), Buffer.alloc(bytes / 2, 'cd')])
    const file = {
      filename: 'a.bin',
      contentType: 'application/zip',
      contentId: null,
      inline: false,
      size: bytes,
      content,
    }
    const recipients = await send(['desk@desk.test'], parts('large', { attachments: [file] }))
    assert.equal(recipients[0]!.status, 'accepted')
    const mail = await arrived('the mail', about('large'))
    assert.ok(mail.size > 19 * 2 ** 20)
  })

  test('recipients that do not exist come back as a notification with an empty sender', async () => {
    await send(['unknown@desk.test', 'both@desk.test', 'desk@desk.test'], parts('some'))
    await arrived('the mail', about('some'))
    const notice = await arrived('the notification', ({ mailFrom }) => mailFrom === '')
    assert.deepEqual(notice.rcpt, ['sender@desk.test'])
    assert.match(notice.head, /^Final-Recipient: rfc822; unknown@desk\.test\r\n(.+\r\n)*Status: 5\.1\.1\r$/m)
    assert.match(notice.head, /^Final-Recipient: rfc822; both@desk\.test\r\n(.+\r\n)*Status: 5\.1\.4\r$/m)
  })

  test('a mail that could not be stored comes again, once', async () => {
    away.add('again')
    await send(['desk@desk.test'], parts('again'))
    await until('the first attempt', () => !away.has('again'))
    postfix.flush()
    const mail = await arrived('the mail', about('again'))
    const [, queueId] = /with ESMTPS id (\w+)/.exec(mail.head)!
    await until('Postfix removes the mail', () => postfix.log().includes(`${queueId}: removed`))
    assert.equal(taken.filter(about('again')).length, 1)
    assert.match(postfix.log(), /status=deferred .*451 4\.3\.0/)
  })

  test('a mail to an address beyond ASCII arrives', async () => {
    const to = 'büro@desk.test'
    const recipients = await send([to], parts('utf8', { to: [{ address: to }] }))
    assert.equal(recipients[0]!.status, 'accepted', recipients[0]!.response)
    const mail = await arrived('the mail', about('utf8'))
    assert.deepEqual(mail.rcpt, [to])
  })
})
