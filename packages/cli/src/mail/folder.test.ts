import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, describe, type TestContext, test } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { cleanUp, temporaryDirectory } from '@backline/test/processes.ts'
import { certificate } from '@backline/test/receivers.ts'
import { openFolder } from './folder.ts'

/* The beginning of a connection with STARTTLS, which a server of this machine does not need. */

after(cleanUp)

/** A server that knows CAPABILITY and STARTTLS, and keeps what it is sent. */
async function imapServer(t: TestContext, capabilities: string) {
  const received: string[] = []
  const server = createServer((socket) => {
    t.after(() => socket.destroy())
    socket.on('error', () => undefined)
    socket.write('* OK ready\r\n')
    socket.on('data', (data) => {
      const line = data.toString()
      received.push(line)
      const [tag = '', command = ''] = line.trim().split(' ')
      if (command === 'CAPABILITY') socket.write(`* CAPABILITY ${capabilities}\r\n${tag} OK done\r\n`)
      if (command !== 'STARTTLS') return
      socket.removeAllListeners('data')
      socket.write(`${tag} OK begin\r\n`)
      const pem = certificate('receiver.test')
      const secured = new TLSSocket(socket, {
        isServer: true,
        secureContext: createSecureContext({ key: pem, cert: pem }),
      })
      secured.on('error', () => undefined)
      secured.on('data', (text) => received.push(text.toString()))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { port: (server.address() as AddressInfo).port, received }
}

async function opening(port: number) {
  const passwordFile = join(temporaryDirectory(), 'password')
  writeFileSync(passwordFile, 'sesame\n')
  chmodSync(passwordFile, 0o600)
  const account = {
    host: '127.0.0.1',
    port,
    security: 'starttls' as const,
    user: 'ada',
    folder: ['INBOX'],
    url: 'imap://imap.example.com',
  }
  await openFolder({ account, passwordFile, moveTo: null, mailboxId: 'mbx_1' }, new AbortController().signal)
}

describe('a connection that needs STARTTLS', () => {
  const servers: [name: string, capabilities: string, code: string, message: RegExp][] = [
    [
      'a server that does not offer it',
      'IMAP4rev1 AUTH=PLAIN',
      'imap_not_encrypted',
      /offers no encryption \(STARTTLS\), without which no password is sent; try imaps:/,
    ],
    [
      'a server whose certificate is not trusted',
      'IMAP4rev1 STARTTLS AUTH=PLAIN',
      'imap_certificate_untrusted',
      /certificate of imap:\/\/imap\.example\.com is not trusted/,
    ],
  ]
  for (const [name, capabilities, code, message] of servers)
    test(`${name} gets neither user nor password`, async (t) => {
      const server = await imapServer(t, capabilities)
      await assert.rejects(opening(server.port), { name: 'CommandError', code, message })
      const all = server.received.join('')
      assert.match(all, /CAPABILITY|STARTTLS/)
      assert.doesNotMatch(all, /LOGIN|AUTHENTICATE|sesame|ada/)
    })
})
