import assert from 'node:assert/strict'
import type { NetConnectOpts } from 'node:net'
import type { TestContext } from 'node:test'
import {
  listenForMail,
  type MailInDeps,
  type MailInSettings,
} from '@backline/server/support/mail/listener/listener.ts'
import type { MailListener } from '@backline/server/support/mail/smtp/listening.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { Service } from './harness.ts'
import { type SmtpClient, smtpClient } from './smtp-client.ts'

/* The listener for mail on the database of a service. */

export type MailIn = MailListener & { at: NetConnectOpts; metrics: Registry }

export async function mailIn(
  api: Service,
  { protocol = 'lmtp', ...deps }: Partial<MailInDeps> & { protocol?: 'lmtp' | 'smtp' } = {},
  settings: Partial<MailInSettings> = {},
): Promise<MailIn> {
  const metrics = new Registry()
  const listener = await listenForMail(
    { db: api.db, context: api.context, log: pino({ level: 'silent' }), metrics, ...deps },
    {
      listen: { protocol, at: { host: '127.0.0.1', port: 0 } },
      allowedNetworks: ['127.0.0.1'],
      name: 'desk.test',
      stopMs: 5_000,
      ...settings,
    },
  )
  return Object.assign(listener, { at: { host: '127.0.0.1', port: listener.port! }, metrics })
}

/** A session after its greeting. */
export async function session(
  t: TestContext,
  at: NetConnectOpts,
  hello = 'LHLO client.test',
): Promise<SmtpClient> {
  const client = smtpClient(t, at)
  assert.match(await client.reply(), /^220 /)
  assert.match(await client.say(hello), /^250/)
  return client
}

/** Begins a mail. @returns the replies to RCPT TO */
export async function envelope(client: SmtpClient, rcpt: string[], from = 'ada@example.net') {
  assert.match(await client.say(`MAIL FROM:<${from}>`), /^250 /)
  const replies: string[] = []
  for (const address of rcpt) replies.push(await client.say(`RCPT TO:<${address}>`))
  return replies
}

/** The bytes of a mail as they follow DATA. */
export const stuffed = (raw: string): string => `${raw.replaceAll(/^\./gm, '..')}.\r\n`

/** Hands a mail over in a session. @returns the replies to its content, as many as `answers` */
export async function handOver(
  client: SmtpClient,
  raw: string,
  rcpt: string[],
  { from = 'ada@example.net', answers = rcpt.length }: { from?: string; answers?: number } = {},
): Promise<string[]> {
  for (const reply of await envelope(client, rcpt, from)) assert.match(reply, /^250 /)
  assert.match(await client.say('DATA'), /^354 /)
  client.socket.write(stuffed(raw))
  const replies: string[] = []
  while (replies.length < answers) replies.push(await client.reply())
  return replies
}
