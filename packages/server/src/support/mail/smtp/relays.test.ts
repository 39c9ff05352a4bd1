import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import {
  type Answer,
  content,
  contentOf,
  drop,
  hang,
  relayWith,
  type Script,
  type Step,
} from '@backline/test/smtp-relay.ts'

/* Handing over mails to a relay with every fault. Addresses and certificates are in `security.test.ts`. */

test('a mail is accepted when the relay answers 250 after the end of the data', async (t) => {
  const { relay, send } = await relayWith(t)
  const { recipients, contentError } = await send({ to: ['ada@example.com', 'bob@example.com'] })
  assert.deepEqual(
    recipients,
    ['ada@example.com', 'bob@example.com'].map((address) => ({
      address,
      status: 'accepted',
      reason: null,
      stage: null,
      code: 250,
      enhanced: '2.0.0',
      response: '250 2.0.0 queued as 4711',
    })),
  )
  assert.equal(contentError, null)
  assert.deepEqual(relay.contents, [content])
  assert.deepEqual(relay.commands.slice(1), [
    'MAIL FROM:<desk@example.com> BODY=8BITMIME',
    'RCPT TO:<ada@example.com>',
    'RCPT TO:<bob@example.com>',
    'DATA',
  ])
})

test('an empty sender of the envelope is sent as one, and a size only to relays that read it', async (t) => {
  const { relay, send } = await relayWith(t)
  await send({ from: '', size: 25 })
  assert.equal(relay.commands[1], 'MAIL FROM:<> BODY=8BITMIME SIZE=25')
  const plain = await relayWith(t, { extensions: [] })
  await plain.send({ from: '', size: 25 })
  assert.equal(plain.relay.commands[1], 'MAIL FROM:<>')
})

test('lines that begin with a dot arrive as they were, and no line of the mail ends it', async (t) => {
  const { relay, send } = await relayWith(t)
  const pieces = ['.\r\n', 'a\r', '\n', '.', '\r\n.b\nc\n.\nQUIT\r.\rd\r\n..\r\n']
  await send({ content: async () => Readable.from(pieces.map((piece) => Buffer.from(piece))) })
  const [sent] = relay.contents
  const read = sent!.split('\r\n').map((line) => line.replace(/^\./, ''))
  assert.deepEqual(read, ['.', 'a', '.', '.b', 'c', '.', 'QUIT', '.', 'd', '..', ''])
  assert.equal(relay.contents.length, 1)
  assert.ok(!relay.commands.includes('QUIT'))
})

const steps: [step: Step, stage: string][] = [
  ['greeting', 'connect'],
  ['EHLO', 'connect'],
  ['MAIL', 'sender'],
  ['RCPT', 'recipient'],
  ['DATA', 'data'],
]

describe('before the end of the data', () => {
  for (const extensions of [['PIPELINING'], []]) {
    for (const [step, stage] of steps) {
      const name = `${step} of a relay ${extensions[0] ? 'with' : 'without'} PIPELINING`
      const run = async (t: TestContext, answer: Answer) => {
        const script: Script = { extensions, answers: { [step]: answer, HELO: answer } }
        const { relay, send } = await relayWith(t, script, { greetingMs: 50, commandMs: 50 })
        const { recipients } = await send()
        assert.ok(!relay.contents.some((received) => received.includes('Hello')))
        const { status, code, stage: failed, response } = recipients[0]!
        return { status, code, stage: failed, response }
      }
      test(`a hanging ${name} defers`, async (t) => {
        const response = 'no answer within 0.05 s'
        assert.deepEqual(await run(t, hang), { status: 'deferred', code: null, stage, response })
      })
      test(`an end of the connection at ${name} defers`, async (t) => {
        const { status, code, stage: failed } = await run(t, drop)
        assert.deepEqual({ status, code, failed }, { status: 'deferred', code: null, failed: stage })
      })
      for (const [code, meant] of [
        [450, 'deferred'],
        [421, 'deferred'],
        [550, 'refused'],
      ] as const) {
        // A relay that refuses the session has not judged the mail.
        const status = stage === 'connect' ? 'deferred' : meant
        test(`${code} at ${name} leaves the recipient ${status}`, async (t) => {
          const response = `${code} no`
          assert.deepEqual(await run(t, response), { status, code, stage, response })
        })
      }
      test(`nonsense at ${name} defers`, async (t) => {
        const { status } = await run(t, '999 ???')
        assert.equal(status, 'deferred')
      })
    }
  }

  test('an end of the connection within the content defers', async (t) => {
    const { send } = await relayWith(t, { answers: { content: drop } })
    const content = async () => Readable.from(endless())
    const { recipients } = await send({ content })
    assert.deepEqual([recipients[0]!.status, recipients[0]!.stage], ['deferred', 'data'])
  })

  test('a relay that stops reading the content defers', async (t) => {
    const stopReading = () => {
      relay.sockets[0]!.pause()
      return '354 go on'
    }
    const { relay, send } = await relayWith(t, { answers: { DATA: stopReading } }, { commandMs: 100 })
    const { recipients } = await send({ content: async () => Readable.from(endless()) })
    assert.deepEqual([recipients[0]!.status, recipients[0]!.stage], ['deferred', 'data'])
  })

  test('a relay that answers within the content has accepted nothing, and may refuse', async (t) => {
    for (const [answer, status] of [
      ['250 2.0.0 fine', 'deferred'],
      ['451 4.3.0 later', 'deferred'],
      ['552 5.3.4 too much', 'refused'],
    ] as const) {
      const { send } = await relayWith(t, { answers: { content: answer } })
      const { recipients } = await send({ content: async () => Readable.from(endless()) })
      assert.deepEqual([recipients[0]!.status, recipients[0]!.stage], [status, 'data'], answer)
    }
  })

  test('content that cannot be read is not ended by a dot, and its error is returned', async (t) => {
    const failures = [
      async () => Promise.reject(new Error('no such file')),
      async () => Readable.from(failing()),
      async () => {
        const destroyed = new Readable({ read: () => undefined })
        setImmediate(() => destroyed.destroy())
        return destroyed
      },
    ]
    for (const content of failures) {
      const { relay, send } = await relayWith(t)
      const { recipients, contentError } = await send({ content })
      assert.ok(contentError instanceof Error)
      assert.equal(recipients[0]!.status, 'deferred')
      assert.equal(recipients[0]!.response, 'the content could not be read')
      assert.deepEqual(relay.contents, [])
    }
  })

  test('a signal ends a hand-over at once', async (t) => {
    const { send } = await relayWith(t, { answers: { RCPT: hang } })
    const stop = new AbortController()
    const sent = send({}, stop.signal)
    setTimeout(() => stop.abort(), 50)
    assert.deepEqual((await sent).recipients[0]!.response, 'interrupted')
    const { recipients } = await send({}, AbortSignal.abort())
    assert.deepEqual([recipients[0]!.status, recipients[0]!.response], ['deferred', 'interrupted'])
  })

  test('a relay that cannot be connected to defers', async (t) => {
    const { relays, settings } = await relayWith(t)
    const mail = { from: '', to: ['ada@example.com'], content: contentOf(content) }
    const { recipients } = await relays.send({ ...settings, port: 1 }, mail, new AbortController().signal)
    assert.deepEqual(
      [recipients[0]!.status, recipients[0]!.stage, recipients[0]!.response],
      ['deferred', 'connect', 'connection refused'],
    )
  })
})

describe('after the end of the data', () => {
  const answers: [name: string, answer: Answer, status: string, code: number | null][] = [
    ['no answer', hang, 'unknown', null],
    ['an end of the connection', drop, 'unknown', null],
    ['4xx', '451 4.3.0 later', 'deferred', 451],
    ['421', '421 4.3.2 closing', 'deferred', 421],
    ['5xx', '554 5.7.1 spam', 'refused', 554],
    ['an answer that is none', 'hello', 'unknown', null],
    ['an answer that asks for more', '354 more', 'unknown', 354],
  ]
  for (const [name, answer, status, code] of answers) {
    test(`${name} leaves the recipients ${status}`, async (t) => {
      const { send } = await relayWith(t, { answers: { 'end of data': answer } }, { dataEndMs: 50 })
      const { recipients } = await send({ to: ['ada@example.com', 'bob@example.com'] })
      const found = recipients.map((each) => [each.status, each.code, each.stage])
      assert.deepEqual(found, [
        [status, code, 'data'],
        [status, code, 'data'],
      ])
    })
  }

  test('a signal leaves the recipients unknown', async (t) => {
    const stop = new AbortController()
    const abort = (): Answer => {
      stop.abort()
      return hang
    }
    const { send } = await relayWith(t, { answers: { 'end of data': abort } })
    assert.equal((await send({}, stop.signal)).recipients[0]!.status, 'unknown')
  })
})

test('each recipient has the answer of the relay, and those accepted get the mail', async (t) => {
  const byAddress = (line: string) =>
    /bad/.test(line)
      ? '550 5.1.1 no such user'
      : /full/.test(line)
        ? '452-4.2.2 full\r\n452 4.2.2 try later'
        : '250 ok'
  for (const extensions of [['PIPELINING'], []]) {
    const { relay, send } = await relayWith(t, { extensions, answers: { RCPT: byAddress } })
    const to = ['bad@example.com', 'ada@example.com', 'full@example.com', 'not an address', 'a<b@example.com']
    const { recipients } = await send({ to })
    assert.deepEqual(
      recipients.map(({ address, status, code, enhanced }) => [address, status, code, enhanced]),
      [
        ['bad@example.com', 'refused', 550, '5.1.1'],
        ['ada@example.com', 'accepted', 250, '2.0.0'],
        ['full@example.com', 'deferred', 452, '4.2.2'],
        ['not an address', 'refused', null, null],
        ['a<b@example.com', 'refused', null, null],
      ],
    )
    assert.equal(recipients[2]!.response, '452-4.2.2 full 452 4.2.2 try later')
    assert.deepEqual(relay.contents, [content])
  }
})

test('no content is sent when every recipient is refused, whatever the relay answers to DATA', async (t) => {
  const { relay, send } = await relayWith(t, { answers: { RCPT: '550 5.1.1 no', DATA: '354 go on' } })
  const { recipients } = await send()
  assert.equal(recipients[0]!.status, 'refused')
  assert.ok(!relay.contents.some((received) => received.includes('Hello')))
})

test('recipients keep their own refusal when the others fail later', async (t) => {
  const answers: Script['answers'] & object = {
    RCPT: (line: string) => (/bad/.test(line) ? '550 5.1.1 no' : '250 ok'),
    'end of data': drop,
  }
  const { send } = await relayWith(t, { answers })
  const { recipients } = await send({ to: ['bad@example.com', 'ada@example.com'] })
  assert.deepEqual(
    recipients.map(({ status }) => status),
    ['refused', 'unknown'],
  )
})

test('a mail larger than the relay takes is refused before it is sent', async (t) => {
  const { relay, send } = await relayWith(t, { extensions: ['SIZE 1000', 'PIPELINING'] })
  const { recipients } = await send({ size: 1001 })
  assert.deepEqual(
    [recipients[0]!.status, recipients[0]!.reason, recipients[0]!.stage],
    ['refused', 'size', 'sender'],
  )
  assert.ok(!relay.commands.some((command) => command.startsWith('MAIL')))
  assert.equal((await send({ size: 1000 })).recipients[0]!.status, 'accepted')
})

describe('SMTPUTF8', () => {
  const to = ['müller@example.com', 'ada@example.com', 'bob@bücher.example']
  test('fails the recipients that need it if the relay does not offer it', async (t) => {
    const { relay, send } = await relayWith(t)
    const { recipients } = await send({ to })
    assert.deepEqual(
      recipients.map(({ address, status, reason }) => [address, status, reason]),
      [
        [to[0], 'refused', 'smtputf8'],
        [to[1], 'accepted', null],
        [to[2], 'accepted', null],
      ],
    )
    assert.ok(relay.commands.includes('RCPT TO:<bob@xn--bcher-kva.example>'))
    assert.ok(!relay.commands.some((command) => /SMTPUTF8|M.*ller/.test(command)))
  })

  test('fails all recipients if the sender or the header needs it', async (t) => {
    for (const mail of [{ from: 'büro@example.com' }, { needsUtf8: true }]) {
      const { relay, send } = await relayWith(t)
      const { recipients } = await send({ to, ...mail })
      assert.deepEqual(
        recipients.map(({ reason }) => reason),
        ['smtputf8', 'smtputf8', 'smtputf8'],
      )
      assert.ok(!relay.commands.some((command) => command.startsWith('MAIL')))
    }
  })

  test('is asked for when an address of the envelope or of the header needs it, and only then', async (t) => {
    const script = { extensions: ['SMTPUTF8', 'PIPELINING'] }
    const { relay, send } = await relayWith(t, script)
    await send({ to })
    await send({ needsUtf8: true })
    await send()
    const asked = relay.commands.filter((command) => command.startsWith('MAIL'))
    assert.deepEqual(asked, [
      'MAIL FROM:<desk@example.com> SMTPUTF8',
      'MAIL FROM:<desk@example.com> SMTPUTF8',
      'MAIL FROM:<desk@example.com>',
    ])
    assert.ok(relay.commands.includes(`RCPT TO:<${Buffer.from('müller').toString('latin1')}@example.com>`))
  })
})

test('answers are one line of at most 500 characters without control characters', async (t) => {
  const long = `550-5.7.1 a\tb\x1b[31m\u202ec\r\n550-${'😀'.repeat(400)}\r\n550 5.7.1 end`
  const { send } = await relayWith(t, { answers: { MAIL: Buffer.from(long).toString() } })
  const { response } = (await send()).recipients[0]!
  assert.ok(response.startsWith('550-5.7.1 a b [31m c 550-😀'), response)
  assert.ok(response.length <= 500 && response.isWellFormed() && !/\p{Cc}/u.test(response))
})

test('a relay that never ends its answer is left', async (t) => {
  const { relay, send } = await relayWith(t, {
    answers: {
      EHLO: () => {
        const socket = relay.sockets[0]!
        const flood = () => {
          while (!socket.destroyed && socket.write(`250-${'x'.repeat(10_000)}\r\n`));
          if (!socket.destroyed) socket.once('drain', flood)
        }
        flood()
        return hang
      },
    },
  })
  assert.equal((await send()).recipients[0]!.status, 'deferred')
})

function* endless() {
  for (;;) yield Buffer.alloc(65_536, `${'x'.repeat(78)}\r\n`)
}

function* failing() {
  yield Buffer.from('Subject: Hello\r\n\r\n')
  throw new Error('the store is away')
}
