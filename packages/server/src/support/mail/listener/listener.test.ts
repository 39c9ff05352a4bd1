import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Client, service, type World } from '@backline/test/harness.ts'
import { envelope, handOver, type MailIn, mailIn, session, stuffed } from '@backline/test/mail-in.ts'
import { deliver, type Mail, mail, mailbox, processed } from '@backline/test/mails.ts'
import { until } from '@backline/test/processes.ts'
import { maxEmailBytes } from '../inbound-emails/schema.ts'

/* Mail by LMTP and SMTP for the mailboxes of a database. */

const api = service({ works: true })

describe('mail in', () => {
  let world: World
  let client: Client
  let other: Client
  let lmtp: MailIn
  let smtp: MailIn
  before(async () => {
    world = await api.world()
    client = world.test
    other = (await api.world()).test
    ;[lmtp, smtp] = [await mailIn(api), await mailIn(api, { protocol: 'smtp' })]
  })
  after(() => Promise.all([lmtp?.stop(), smtp?.stop()]))

  const of = ({ address }: Body, token: string) => address.replace('@', `+${token}@`)

  /** The mails with a Message-ID, of one environment. */
  const mailsWith = async (from: Client, messageId: string): Promise<Body[]> =>
    succeeded(await from.get(`/v1/inbound_emails?header_message_id=${encodeURIComponent(messageId)}`)).data

  /** A mail and the value by which it is found. */
  function written(fields: Mail = {}): { raw: string; id: string } {
    const id = `<${randomUUID()}@example.net>`
    return { raw: mail({ messageId: id, ...fields }), id }
  }

  async function only(from: Client, id: string): Promise<Body> {
    const [email, another] = await mailsWith(from, id)
    assert.ok(email)
    assert.equal(another, undefined)
    return processed(from, email.id)
  }

  for (const protocol of ['lmtp', 'smtp'] as const) {
    const hello = protocol === 'lmtp' ? 'LHLO a' : 'EHLO a'
    const listener = () => (protocol === 'lmtp' ? lmtp : smtp)

    describe(`a mail by ${protocol}`, () => {
      test('is stored when it is answered, and begins a conversation as by a request', async (t) => {
        const box = await mailbox(client)
        const { raw, id } = written({ body: '.\r\n..\r\nlast words' })
        const connection = await session(t, listener().at, hello)
        assert.match((await handOver(connection, raw, [box.address]))[0]!, /^250 /)
        const [email] = await mailsWith(client, id)
        assert.ok(email, 'it is stored')
        const { status, source, mail_from, mailbox_id, conversation_id } = await processed(client, email.id)
        assert.deepEqual(
          { status, source, mail_from, mailbox_id },
          { status: 'created', source: protocol, mail_from: 'ada@example.net', mailbox_id: box.id },
        )
        assert.equal((await client.get(`/v1/inbound_emails/${email.id}/raw`)).text, raw)
        const { data } = succeeded(await client.get(`/v1/events?resource_id=${conversation_id}`))
        assert.deepEqual(data[0].actor, { type: 'mailbox', id: box.id, operator_id: null })
      })

      test('of the null return path has an empty one', async (t) => {
        const { raw, id } = written()
        const { address } = await mailbox(client)
        await handOver(await session(t, listener().at, hello), raw, [address], { from: '' })
        assert.equal((await only(client, id)).mail_from, '')
      })

      test('that arrived before, by another way, is counted and answered 250', async (t) => {
        const { address } = await mailbox(client)
        const { raw, id } = written()
        const first = succeeded(await deliver(client, raw, { rcpt_to: address }))
        const connection = await session(t, listener().at, hello)
        const again = `Received: from mx.example.com\r\n${raw}`
        assert.match((await handOver(connection, again, [address]))[0]!, /^250 /)
        const email = await only(client, id)
        assert.deepEqual([email.id, email.source, email.duplicate_count], [first.id, 'api', 1])
      })

      test('to several mailboxes of an environment is one, of the first', async (t) => {
        const [one, two] = [await mailbox(client), await mailbox(client)]
        const { raw, id } = written()
        const connection = await session(t, listener().at, hello)
        const answers = protocol === 'lmtp' ? 2 : 1
        const replies = await handOver(connection, raw, [two.address, one.address], { answers })
        for (const reply of replies) assert.match(reply, /^250 /)
        assert.equal((await only(client, id)).mailbox_id, two.id)
      })

      test('to mailboxes of two environments is one in each', async (t) => {
        const [here, there] = [await mailbox(client), await mailbox(other)]
        const { raw, id } = written()
        const connection = await session(t, listener().at, hello)
        await handOver(connection, raw, [here.address, there.address], {
          answers: protocol === 'lmtp' ? 2 : 1,
        })
        assert.equal((await only(client, id)).mailbox_id, here.id)
        assert.equal((await only(other, id)).mailbox_id, there.id)
      })
    })
  }

  describe('a recipient', () => {
    let boxes: Record<string, Body>
    const aliases = [`alias-${randomUUID()}@example.com`]
    before(async () => {
      const same = { address: `same-${randomUUID()}@example.com` }
      const box = await mailbox(client, { aliases })
      boxes = {
        box,
        plain: await mailbox(client, { plus_addressing: false }),
        paused: await mailbox(client, { status: 'paused' }),
        archived: await mailbox(client),
        same: await mailbox(client, same),
        sameThere: await mailbox(other, { ...same, plus_addressing: false }),
        beyond: await mailbox(client, { address: `desk-${randomUUID()}@bücher.example` }),
        // An address that looks like the id of another environment's mailbox.
        thief: await mailbox(other, { address: `${box.id}@example.com` }),
      }
      succeeded(await client.patch(`/v1/mailboxes/${boxes.archived!.id}`, { archived: true }))
    })

    const id = (name: string) => boxes[name]!.id as string
    const address = (name: string) => boxes[name]!.address as string
    const unknown = /^550 5\.1\.1 /
    const several = /^550 5\.1\.4 /
    type Case = [what: string, recipient: () => string, taken: (() => string) | RegExp]
    const ofBox = () => id('box')
    const cases: Case[] = [
      ['the address of a mailbox', () => address('box'), ofBox],
      ['its address in capitals', () => address('box').toUpperCase(), ofBox],
      ['its address with a token', () => of(boxes.box!, 'token'), ofBox],
      ['its address with an empty token', () => of(boxes.box!, ''), ofBox],
      ['its alias', () => aliases[0]!, ofBox],
      ['its alias with a token', () => aliases[0]!.replace('@', '+token@'), ofBox],
      ['its id at a domain', () => `${id('box')}@backline.internal`, ofBox],
      ['its id with a token', () => `${id('box')}+token@elsewhere.example`, ofBox],
      ['its id in capitals', () => `${id('box').toUpperCase()}@backline.internal`, ofBox],
      ['a token where the mailbox takes none', () => of(boxes.plain!, 'token'), unknown],
      ['a token after the id of such a mailbox', () => `${id('plain')}+t@a.example`, () => id('plain')],
      ['a paused mailbox', () => address('paused'), () => id('paused')],
      ['an archived mailbox', () => address('archived'), unknown],
      ['the id of an archived mailbox', () => `${id('archived')}@a.example`, unknown],
      ['an address of two environments', () => address('same'), several],
      ['the one of them that takes tokens', () => of(boxes.same!, 'token'), () => id('same')],
      ['the id of one of them', () => `${id('sameThere')}@a.example`, () => id('sameThere')],
      ['a domain beyond ASCII', () => address('beyond'), () => id('beyond')],
      ['an address that looks like the id of another mailbox', () => address('thief'), ofBox],
      ['an unknown address', () => `nobody-${randomUUID()}@example.com`, unknown],
      ['the id of no mailbox', () => 'mbx_01kah1vgm0e1tbm5ye8n2m9q7c@a.example', unknown],
      ['the id of something else', () => `${id('box').replace('mbx', 'conv')}@a.example`, unknown],
      ['an id without a domain', () => id('box'), /^501 5\.1\.3 /],
      ['a text for SQL', () => "'or'1'='1@example.com", unknown],
    ]
    for (const [what, recipient, taken] of cases) {
      test(`with ${what} is ${taken instanceof RegExp ? `answered ${taken.source}` : 'taken'}`, async (t) => {
        const connection = await session(t, lmtp.at)
        const [reply] = await envelope(connection, [recipient()])
        if (taken instanceof RegExp) return assert.match(reply!, taken)
        assert.match(reply!, /^250 2\.1\.5 /)
        const { raw, id } = written()
        await connection.say('DATA')
        assert.match(await connection.say(`${raw}.`), /^250 /)
        const holder = taken() === boxes.sameThere!.id ? other : client
        const email = await only(holder, id)
        assert.equal(email.mailbox_id, taken())
      })
    }

    test('of a mailbox that was archived after RCPT TO is kept as failed', async (t) => {
      const box = await mailbox(client)
      const connection = await session(t, lmtp.at)
      await envelope(connection, [box.address])
      succeeded(await client.patch(`/v1/mailboxes/${box.id}`, { archived: true }))
      const { raw, id } = written()
      await connection.say('DATA')
      assert.match(await connection.say(`${raw}.`), /^250 /)
      const { status, reason } = await only(client, id)
      assert.deepEqual([status, reason], ['failed', 'no_mailbox'])
    })
  })

  describe('one answer for each recipient', () => {
    const failing = (at: World) => (env: Parameters<typeof api.context>[0]) => {
      if (env.tenantId === at.environments.test.tenantId) throw new Error('away')
      return api.context(env)
    }
    for (const [protocol, hello] of [
      ['lmtp', 'LHLO a'],
      ['smtp', 'EHLO a'],
    ] as const) {
      test(`by ${protocol}: where one environment cannot store the mail, it stays stored in the other`, async (t) => {
        const [here, there] = [await mailbox(client), await mailbox(other)]
        const listener = await mailIn(api, { protocol, context: failing(world) })
        t.after(() => listener.stop())
        const { raw, id } = written()
        const rcpt = [there.address, here.address, of(there, 'again')]
        const expected = protocol === 'lmtp' ? ['250', '451', '250'] : ['451']
        const connection = await session(t, listener.at, hello)
        const replies = await handOver(connection, raw, rcpt, { answers: expected.length })
        assert.deepEqual(
          replies.map((reply) => reply.slice(0, 3)),
          expected,
        )
        assert.equal((await only(other, id)).duplicate_count, 0)
        assert.deepEqual(await mailsWith(client, id), [])
        assert.match(await listener.metrics.metrics(), /mails_total\{outcome="deferred"\} 1/)
        const again = await session(t, (protocol === 'lmtp' ? lmtp : smtp).at, hello)
        for (const reply of await handOver(again, raw, rcpt, { answers: expected.length }))
          assert.match(reply, /^250 /)
        assert.equal((await only(client, id)).duplicate_count, 0)
        assert.equal((await only(other, id)).duplicate_count, 1)
      })
    }
  })

  test('the database is away: recipients and mails are answered 451, and nothing is stored', async (t) => {
    const { address } = await mailbox(client)
    let isAway = false
    const db: typeof api.db = {
      ...api.db,
      rows: (query) => (isAway ? Promise.reject(new Error('away')) : api.db.rows(query)),
    }
    const listener = await mailIn(api, { db })
    t.after(() => listener.stop())
    const connection = await session(t, listener.at)
    const { raw, id } = written()
    await envelope(connection, [address])
    await connection.say('DATA')
    isAway = true
    connection.socket.write(stuffed(raw))
    assert.match(await connection.reply(), /^451 4\.3\.0 /)
    assert.match((await envelope(connection, [address]))[0]!, /^451 4\.3\.0 /)
    assert.deepEqual(await mailsWith(client, id), [])
  })

  test('twenty hand over the same mail at the same moment: one is made', async (t) => {
    const { address } = await mailbox(client)
    const { raw, id } = written()
    const connections = await Promise.all(Array.from({ length: 20 }, () => session(t, lmtp.at)))
    const replies = await Promise.all(connections.map((each) => handOver(each, raw, [address])))
    for (const [reply] of replies) assert.match(reply!, /^250 /)
    assert.equal((await only(client, id)).duplicate_count, 19)
  })

  test('the mail has the time of its environment', async (t) => {
    const { test: own } = await api.world()
    const { address } = await mailbox(own)
    const { frozen_at: _, now } = succeeded(await own.post('/v1/test_clock/advance', { seconds: 864_000 }))
    const { raw, id } = written()
    await handOver(await session(t, lmtp.at), raw, [address])
    const { created_at } = await only(own, id)
    assert.ok(created_at >= now, `${created_at} is before ${now}`)
  })

  describe('a mail of 25 MiB', () => {
    const line = `${'x'.repeat(78)}\r\n`
    const large = (id: string, size: number) => {
      const head = mail({ messageId: id, body: '' })
      const rest = size - head.length
      return head + line.repeat(Math.floor(rest / line.length)) + 'y'.repeat(rest % line.length)
    }
    const endOf = (raw: string) => raw.replace(/..$/s, '\r\n')

    test('is stored as it came, in each environment', async (t) => {
      const [here, there] = [await mailbox(client), await mailbox(other)]
      const id = `<${randomUUID()}@example.net>`
      const raw = endOf(large(id, maxEmailBytes))
      const replies = await handOver(await session(t, lmtp.at), raw, [here.address, there.address])
      for (const reply of replies) assert.match(reply, /^250 /)
      for (const each of [client, other]) {
        const email = await only(each, id)
        assert.equal(email.size_bytes, maxEmailBytes)
        const { text } = await each.get(`/v1/inbound_emails/${email.id}/raw`)
        assert.ok(text === raw, 'the bytes are the same')
      }
    })

    test('and a byte is answered 552', async (t) => {
      const { address } = await mailbox(client)
      const id = `<${randomUUID()}@example.net>`
      const raw = endOf(large(id, maxEmailBytes + 1))
      const [reply] = await handOver(await session(t, lmtp.at), raw, [address])
      assert.match(reply!, /^552 5\.3\.4 /)
      assert.deepEqual(await mailsWith(client, id), [])
    })
  })

  test('commands that hide in a mail are text of it', async (t) => {
    const { address } = await mailbox(client)
    for (const end of ['\n.\n', '\r.\r', '\r\n.\n', '\n.\r\n', '\r\n.\r']) {
      const hidden = `<${randomUUID()}@example.net>`
      const smuggled = `${mail({ messageId: hidden })}`
      const { raw, id } = written({
        body: `first${end}MAIL FROM:<>\r\nRCPT TO:<${address}>\r\nDATA\r\n${smuggled}`,
      })
      const connection = await session(t, lmtp.at)
      await envelope(connection, [address])
      await connection.say('DATA')
      connection.socket.write(`${raw}\r\n.\r\n`)
      assert.match(await connection.reply(), /^250 /)
      assert.match(await connection.say('NOOP'), /^250 .*OK/)
      await only(client, id)
      assert.deepEqual(await mailsWith(client, hidden), [], JSON.stringify(end))
    }
  })

  test('commands of several mails that are sent at once are answered in order', async (t) => {
    const { address } = await mailbox(client)
    const mails = [written(), written()]
    const connection = await session(t, lmtp.at)
    const commands = `MAIL FROM:<>\r\nRCPT TO:<${address}>\r\nRCPT TO:<nobody@nowhere.example>\r\nDATA\r\n`
    for (const { raw } of mails) {
      connection.socket.write(commands)
      for (const reply of [/^250 /, /^250 /, /^550 /, /^354 /]) assert.match(await connection.reply(), reply)
      connection.socket.write(`${stuffed(raw)}`)
      assert.match(await connection.reply(), /^250 /)
    }
    for (const { id } of mails) await only(client, id)
  })

  test('clients that send slowly, or stop within a mail, hold up no other', async (t) => {
    const { address } = await mailbox(client)
    const slow = await Promise.all(Array.from({ length: 60 }, () => session(t, lmtp.at)))
    const half = written()
    for (const each of slow) {
      await envelope(each, [address])
      await each.say('DATA')
      each.socket.write(half.raw.slice(0, 100))
    }
    const { raw, id } = written()
    assert.match((await handOver(await session(t, lmtp.at), raw, [address]))[0]!, /^250 /)
    await only(client, id)
    for (const each of slow) each.socket.destroy()
    assert.deepEqual(await mailsWith(client, half.id), [])
    await until('the connections are gone', () => lmtp.connections <= 20)
  })
})
