import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Body, succeeded } from './desk.ts'
import { type Client, clientOf } from './harness.ts'
import { envelope, session, stuffed } from './mail-in.ts'
import { dmarcPass, type Mail, mail, mailbox, processed } from './mails.ts'
import { needsPostfix, type Postfix, startPostfix } from './postfix.ts'
import {
  cleanUp,
  freePort,
  repository,
  type ServerProcess,
  startServer,
  temporaryDirectory,
  until,
} from './processes.ts'

/* The recipe for Postfix in docs/mail.md, with the real Postfix before a running server. */

const guide = readFileSync(join(repository, 'docs/mail.md'), 'utf8')
/** The lines of main.cf in the guide. */
const recipe = (port: number) => {
  const [, text] = /^```ini\n(# \/etc\/postfix\/main\.cf\n.*?)^```$/ms.exec(guide)!
  return text!.replaceAll('2424', String(port)).replaceAll('/etc/postfix', '$config_directory')
}

describe('the recipe for Postfix', { ...needsPostfix, concurrency: 1 }, () => {
  let server: ServerProcess
  let client: Client
  let postfix: Postfix
  let desk: Body
  let sales: Body
  before(async () => {
    const port = await freePort()
    server = await startServer({
      environment: {
        BACKLINE_DATA_DIR: temporaryDirectory(),
        BACKLINE_MAIL_LISTEN: `lmtp://127.0.0.1:${port}`,
      },
    })
    client = clientOf(server.url, (await server.firstKeys()).test)
    desk = await mailbox(client, {
      address: 'help@support.example.com',
      trusted_authserv_ids: ['mx.example.com'],
    })
    sales = await mailbox(client, { address: 'sales@example.com' })
    const filter = [
      '/^Authentication-Results:/ IGNORE',
      `/^X-Proven: (.*)$/ PREPEND ${dmarcPass('example.net')}`,
    ]
    postfix = await startPostfix(
      port,
      // In place of the milters: what comes from outside goes, and one of the server's own is added.
      `${recipe(port)}mydestination = example.com\nsmtpd_tls_security_level = none\n` +
        'header_checks = regexp:$config_directory/filter\n',
      {
        'backline-transport': `support.example.com lmtp:inet:127.0.0.1:${port}\nbackline.internal lmtp:inet:127.0.0.1:${port}\n`,
        'backline-aliases': `sales@example.com ${sales.id}@backline.internal\n`,
        filter: `${filter.join('\n')}\n`,
      },
    )
  })
  after(async () => {
    await postfix?.stop()
    await server?.stop()
    await cleanUp()
  })

  const find = async (id: string) => {
    const path = `/v1/inbound_emails?header_message_id=${encodeURIComponent(id)}`
    return until(
      () => `the mail arrives: ${postfix.log()}`,
      async () => succeeded(await client.get(path)).data[0],
    )
  }

  async function send(t: Parameters<typeof session>[0], rcpt: string, fields: Mail = {}): Promise<Body> {
    const id = `<${randomUUID()}@example.net>`
    const connection = await session(t, { host: '127.0.0.1', port: postfix.port }, 'EHLO client.test')
    const [reply] = await envelope(connection, [rcpt])
    assert.match(reply!, /^250 /)
    await connection.say('DATA')
    connection.socket.write(stuffed(mail({ messageId: id, to: rcpt, ...fields })))
    assert.match(await connection.reply(), /^250 /)
    return processed(client, (await find(id)).id)
  }

  test('an address of its domain leads to a conversation, with and without a token', async (t) => {
    for (const rcpt of ['help@support.example.com', 'help+token@support.example.com']) {
      const email = await send(t, rcpt)
      assert.deepEqual(
        [email.status, email.source, email.mailbox_id, email.mail_from],
        ['created', 'lmtp', desk.id, 'ada@example.net'],
      )
      assert.deepEqual(email.warnings, rcpt.includes('+') ? ['token_invalid'] : [])
      const messages = succeeded(await client.get(`/v1/conversations/${email.conversation_id}/messages`))
      assert.equal(messages.data[0].body, 'My card was declined twice.')
    }
  })

  test('an answer finds its conversation', async (t) => {
    const first = await send(t, 'help@support.example.com')
    const headers = [`In-Reply-To: ${first.header_message_id}`]
    const answer = await send(t, 'help@support.example.com', { headers, body: 'Once more.' })
    assert.deepEqual([answer.status, answer.conversation_id], ['threaded', first.conversation_id])
  })

  test('one address of a domain with other mail leads there by its id, and keeps its token', async (t) => {
    for (const rcpt of ['sales@example.com', 'sales+token@example.com']) {
      const email = await send(t, rcpt)
      assert.equal(email.mailbox_id, sales.id)
      assert.deepEqual(email.warnings, rcpt.includes('+') ? ['token_invalid'] : [])
    }
  })

  test('an unknown recipient is refused while the client is there', async (t) => {
    const connection = await session(t, { host: '127.0.0.1', port: postfix.port }, 'EHLO client.test')
    const [reply] = await envelope(connection, ['nobody@support.example.com'])
    assert.match(reply!, /^550 5\.1\.1 /)
  })

  test('a result of the server itself proves a mail, and one from outside does not', async (t) => {
    const proven = await send(t, 'help@support.example.com', { headers: ['X-Proven: yes'] })
    assert.deepEqual([proven.authentication.verified, proven.authentication.basis], [true, 'dmarc'])
    const forged = await send(t, 'help@support.example.com', { top: [dmarcPass('example.net')] })
    assert.deepEqual([forged.authentication.verified, forged.authentication.basis], [false, null])
  })
})
