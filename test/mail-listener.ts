import assert from 'node:assert/strict'
import type { NetConnectOpts } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { addressList } from '@backline/server/platform/kernel/networks.ts'
import {
  type MailEnvelope,
  type MailListenerOptions,
  startMailListener,
} from '@backline/server/support/mail/smtp/listening.ts'
import { type SmtpClient, smtpClient } from './smtp-client.ts'

/* A listener for mail whose mailboxes need no database. */

export type Options = Partial<MailListenerOptions<string>>

/** A listener with the mailboxes `desk@` and `sales@`; `both@` is of several, and `away@` of a database that is away. */
export async function listener(t: TestContext, options: Options = {}) {
  const taken: { envelope: MailEnvelope<string>; bytes: string }[] = []
  const logged: unknown[] = []
  const started = await startMailListener<string>({
    listen: { protocol: 'lmtp', at: { host: '127.0.0.1', port: 0 } },
    allowed: addressList(['127.0.0.0/8']),
    name: 'mail.test',
    async resolve(address) {
      const [name] = address.toLowerCase().split(/[@+]/)
      if (name === 'away') throw new Error('the database is away')
      return name === 'both' ? 'ambiguous' : name === 'desk' || name === 'sales' ? { ok: name } : 'unknown'
    },
    async take(envelope, bytes) {
      taken.push({ envelope, bytes: (await buffer(bytes)).toString('latin1') })
      return 'stored'
    },
    log: { error: ({ err }) => logged.push(err) },
    ...options,
  })
  t.after(() => started.stop())
  const at: NetConnectOpts = { host: '127.0.0.1', port: started.port! }
  return { ...started, taken, logged, at }
}

export async function greeted(
  t: TestContext,
  at: NetConnectOpts,
  hello = 'LHLO client.test',
): Promise<SmtpClient> {
  const client = smtpClient(t, at)
  assert.match(await client.reply(), /^220 mail\.test /)
  await client.say(hello)
  return client
}

/** Sends the commands of a mail up to DATA. */
export async function upToData(client: SmtpClient, rcpt: string[], from = 'ada@example.com'): Promise<void> {
  assert.match(await client.say(`MAIL FROM:<${from}>`), /^250 2\.1\.0 /)
  for (const address of rcpt) assert.match(await client.say(`RCPT TO:<${address}>`), /^250 2\.1\.5 /)
  assert.match(await client.say('DATA'), /^354 /)
}
