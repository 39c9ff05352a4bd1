import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { greeted, listener, type Options, upToData } from '@backline/test/mail-listener.ts'
import { smtpClient } from '@backline/test/smtp-client.ts'
import { addressList } from '../../../platform/kernel/networks.ts'
import { MailRefused } from './taking.ts'

/* The listener as clients see it, byte by byte. */

const lmtp = { protocol: 'lmtp', at: { host: '127.0.0.1', port: 0 } } as const
const smtp = { protocol: 'smtp', at: { host: '127.0.0.1', port: 0 } } as const

for (const listen of [lmtp, smtp]) {
  const { protocol } = listen
  const hello = protocol === 'lmtp' ? 'LHLO client.test' : 'EHLO client.test'

  describe(`by ${protocol}`, () => {
    test('the extensions are those of the contract', async (t) => {
      const { at } = await listener(t, { listen })
      const client = smtpClient(t, at)
      await client.reply()
      const lines = (await client.say(hello)).split('\r\n').map((line) => line.slice(4))
      assert.deepEqual(lines.slice(1).sort(), [
        '8BITMIME',
        'ENHANCEDSTATUSCODES',
        'PIPELINING',
        'SIZE 26214400',
        'SMTPUTF8',
      ])
    })

    test('a mail is taken with its envelope, and its bytes as they were', async (t) => {
      const { at, taken } = await listener(t, { listen })
      const client = await greeted(t, at, hello)
      await upToData(client, ['desk+token@example.com', 'Sales@example.com'], '')
      client.socket.write('Subject: ü\r\n\r\n..a\r\n...\r\nno end\r\n.\r\n')
      for (const _ of protocol === 'lmtp' ? [1, 2] : [1])
        assert.match(await client.reply(), /^250 2\.\d\.0 stored$/)
      assert.match(await client.say('QUIT'), /^221 /)
      const rcpt = [
        { address: 'desk+token@example.com', mailbox: 'desk' },
        { address: 'Sales@example.com', mailbox: 'sales' },
      ]
      const bytes = Buffer.from('Subject: ü\r\n\r\n.a\r\n..\r\nno end\r\n').toString('latin1')
      assert.deepEqual(taken, [{ envelope: { protocol, mailFrom: '', rcpt }, bytes }])
    })

    const recipients: [address: string, reply: RegExp][] = [
      ['desk@example.com', /^250 2\.1\.5 /],
      ['nobody@example.com', /^550 5\.1\.1 /],
      ['both@example.com', /^550 5\.1\.4 /],
      ['away@example.com', /^451 4\.3\.0 /],
      ['', /^501 5\.1\.3 /],
      ['no address', /^501 5\.1\.3 /],
      ['desk@other.example', /^250 2\.1\.5 /],
    ]
    for (const [address, reply] of recipients) {
      test(`the recipient <${address}> is answered ${reply.source}`, async (t) => {
        const { at } = await listener(t, { listen })
        const client = await greeted(t, at, hello)
        await client.say('MAIL FROM:<>')
        assert.match(await client.say(`RCPT TO:<${address}>`), reply)
      })
    }

    const failures: [name: string, take: NonNullable<Options['take']>, reply: RegExp, isLogged: boolean][] = [
      ['whose database is away', () => Promise.reject(new Error('away')), /^451 4\.3\.0 /, true],
      [
        'that is refused',
        () => Promise.reject(new MailRefused('554 5.7.1', 'no')),
        /^554 5\.7\.1 no$/,
        false,
      ],
      [
        'that was read in part',
        async (_envelope, bytes) => {
          await once(bytes, 'data')
          return 'stored'
        },
        /^451 4\.3\.0 /,
        true,
      ],
    ]
    for (const [name, take, reply, isLogged] of failures) {
      test(`a mail ${name} is answered ${reply.source} for each recipient, and the session goes on`, async (t) => {
        const { at, logged } = await listener(t, { listen, take })
        const client = await greeted(t, at, hello)
        for (const _ of [1, 2]) {
          await upToData(client, ['desk@example.com', 'sales@example.com'])
          client.socket.write(`${'x'.repeat(70)}\r\n`.repeat(10_000))
          client.socket.write('.\r\n')
          for (const _ of protocol === 'lmtp' ? [1, 2] : [1]) assert.match(await client.reply(), reply)
        }
        assert.match(await client.say('NOOP'), /^250 /)
        assert.equal(logged.length, isLogged ? 2 : 0)
      })
    }

    test('a mail that is too large is answered 552 before or after it arrived, and the session goes on', async (t) => {
      const { at, taken } = await listener(t, { listen, limits: { maxBytes: 1_000 } })
      const client = await greeted(t, at, hello)
      assert.match(await client.say('MAIL FROM:<> SIZE=1001'), /^552 5\.3\.4 /)
      await upToData(client, ['desk@example.com', 'sales@example.com'])
      client.socket.write(`${'x'.repeat(1_000)}\r\n.\r\n`)
      for (const _ of protocol === 'lmtp' ? [1, 2] : [1]) assert.match(await client.reply(), /^552 5\.3\.4 /)
      await upToData(client, ['desk@example.com'])
      client.socket.write(`${'x'.repeat(998)}\r\n.\r\n`)
      assert.match(await client.reply(), /^250 /)
      assert.equal(taken.length, 1)
    })

    test('a mail without a byte is refused', async (t) => {
      const { at, taken } = await listener(t, { listen })
      const client = await greeted(t, at, hello)
      await upToData(client, ['desk@example.com'])
      assert.match(await client.say('.'), /^554 5\.6\.0 /)
      assert.deepEqual(taken, [])
    })
  })
}

test('LMTP answers a repeated recipient as often as it was accepted, and the mail has it once', async (t) => {
  const { at, taken } = await listener(t)
  const client = await greeted(t, at)
  await client.say('MAIL FROM:<>')
  for (const address of ['desk@a.test', 'DESK@a.test', 'nobody@a.test', 'desk@a.test'])
    await client.say(`RCPT TO:<${address}>`)
  await client.say('DATA')
  client.socket.write('a\r\n.\r\nNOOP\r\n')
  const replies = [await client.reply(), await client.reply(), await client.reply(), await client.reply()]
  assert.deepEqual(
    replies.map((reply) => reply.replace(/^(250 )[\d.]+ /, '$1')),
    ['250 stored', '250 stored', '250 stored', '250 OK'],
  )
  assert.deepEqual(taken[0]!.envelope.rcpt, [{ address: 'desk@a.test', mailbox: 'desk' }])
})

test('the recipients of a mail that was given up are not those of the next', async (t) => {
  const { at, taken } = await listener(t)
  const client = await greeted(t, at)
  await client.say('MAIL FROM:<>')
  await client.say('RCPT TO:<sales@a.test>')
  await client.say('RSET')
  await upToData(client, ['desk@a.test'])
  await client.say('a\r\n.')
  assert.match(await client.say('NOOP'), /OK$/)
  assert.deepEqual(taken[0]!.envelope.rcpt, [{ address: 'desk@a.test', mailbox: 'desk' }])
})

test('commands that are sent at once are answered in their order', async (t) => {
  const { at } = await listener(t)
  const client = await greeted(t, at)
  client.socket.write('MAIL FROM:<>\r\nRCPT TO:<desk@a.test>\r\nRCPT TO:<nobody@a.test>\r\nDATA\r\n')
  const codes = [await client.reply(), await client.reply(), await client.reply(), await client.reply()]
  assert.deepEqual(
    codes.map((reply) => reply.slice(0, 3)),
    ['250', '250', '550', '354'],
  )
  client.socket.destroy()
})

test('addresses beyond ASCII arrive as they are', async (t) => {
  const addresses: string[] = []
  const resolve = async (address: string) => {
    addresses.push(address)
    return { ok: 'desk' }
  }
  const { at, taken } = await listener(t, { resolve })
  const client = await greeted(t, at)
  assert.match(await client.say('MAIL FROM:<jürgen@bücher.example> SMTPUTF8 BODY=8BITMIME'), /^250 /)
  assert.match(await client.say('RCPT TO:<büro@example.com>'), /^250 /)
  await client.say('DATA')
  await client.say('a\r\n.')
  assert.deepEqual(addresses, ['büro@example.com'])
  assert.equal(taken[0]!.envelope.mailFrom, 'jürgen@bücher.example')
})

test('AUTH, STARTTLS and the commands of proxies are not known', async (t) => {
  const { at } = await listener(t)
  const client = await greeted(t, at)
  for (const command of [
    'AUTH PLAIN AAA=',
    'STARTTLS',
    'XCLIENT ADDR=8.8.8.8',
    'XFORWARD ADDR=8.8.8.8',
    'WIZ',
  ])
    assert.match(await client.say(command), /^500 5\.5\.2 /, command)
})

describe('a client', () => {
  test('of a network that is not allowed gets 554 and no session', async (t) => {
    const { at, taken } = await listener(t, { allowed: addressList(['10.0.0.0/8']) })
    const client = smtpClient(t, at)
    assert.match(await client.reply(), /^554 /)
    assert.equal(await client.reply(), '')
    assert.deepEqual(taken, [])
  })

  test('beyond the limit of connections is asked to come later', async (t) => {
    const { at } = await listener(t, { limits: { connections: 1 } })
    await greeted(t, at)
    assert.match(await smtpClient(t, at).reply(), /^421 /)
  })

  test('with too many recipients is asked to send the others later', async (t) => {
    const { at } = await listener(t, { limits: { recipients: 2 } })
    const client = await greeted(t, at)
    await client.say('MAIL FROM:<>')
    for (const address of ['desk@a.test', 'desk@a.test']) await client.say(`RCPT TO:<${address}>`)
    assert.match(await client.say('RCPT TO:<sales@a.test>'), /^452 4\.5\.3 /)
  })

  test('with an endless command is sent away', async (t) => {
    const { at } = await listener(t)
    const client = await greeted(t, at)
    client.socket.write('x'.repeat(3_000))
    assert.match(await client.reply(), /^421 /)
    assert.equal(await client.reply(), '')
  })

  test('that sends nothing is sent away', async (t) => {
    const { at } = await listener(t, { limits: { idleMs: 200 } })
    const client = await greeted(t, at)
    assert.match(await client.reply(), /^421 /)
  })

  test('whose mail takes too long is sent away, and nothing is taken', async (t) => {
    const { at, taken } = await listener(t, { limits: { mailMs: 50 } })
    const client = await greeted(t, at)
    await upToData(client, ['desk@a.test'])
    client.socket.write('Subject: never ends\r\n')
    assert.match(await client.reply(), /^421 /)
    client.socket.end()
    await once(client.socket, 'close')
    assert.deepEqual(taken, [])
  })

  test('that goes away within a mail leaves nothing, and no error in the log', async (t) => {
    const failed = Promise.withResolvers<unknown>()
    const take = async (_envelope: unknown, bytes: Readable) => {
      await buffer(bytes).catch((error) => {
        failed.resolve(error)
        throw error
      })
      return 'stored' as const
    }
    for (const leave of ['destroy', 'end'] as const) {
      const { at, logged } = await listener(t, { take })
      const client = await greeted(t, at)
      await upToData(client, ['desk@a.test'])
      client.socket.write('Subject: half\r\n', () => client.socket[leave]())
      assert.match(String(await failed.promise), /went away/)
      assert.deepEqual(logged, [])
    }
  })

  test('is answered only once the mail is stored', async (t) => {
    const store = Promise.withResolvers<void>()
    const arrived = Promise.withResolvers<void>()
    const take = async (_envelope: unknown, bytes: Readable) => {
      await buffer(bytes)
      arrived.resolve()
      await store.promise
      return 'stored' as const
    }
    const { at } = await listener(t, { take })
    const client = await greeted(t, at)
    await upToData(client, ['desk@a.test'])
    client.socket.write('a\r\n.\r\n')
    let isAnswered = false
    const reply = client.reply().then((text) => {
      isAnswered = true
      return text
    })
    await arrived.promise
    assert.equal(isAnswered, false)
    store.resolve()
    assert.match(await reply, /^250 /)
  })
})
