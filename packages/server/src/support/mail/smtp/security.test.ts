import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, type TestContext, test } from 'node:test'
import { certificate } from '@backline/test/receivers.ts'
import { hang, type Script, smtpRelay } from '@backline/test/smtp-relay.ts'
import { addressList } from '../../../platform/kernel/networks.ts'
import { openRelays, type RelayLimits } from './relays.ts'
import type { RelaySettings } from './settings.ts'

/* Where mails go, whom the client believes to be the relay, and what becomes of passwords. */

type Options = {
  script?: Script
  settings?: Partial<RelaySettings>
  allowed?: string[]
  resolve?: (name: string) => Promise<string[]>
  trusts?: string[]
  limits?: Partial<RelayLimits>
  signal?: AbortSignal
}

async function verifyWith(t: TestContext, options: Options = {}) {
  const { script = {}, allowed = ['127.0.0.1'], trusts = [certificate('authority')] } = options
  const relay = await smtpRelay(t, script)
  const relays = openRelays({
    allowed: addressList(allowed),
    resolve: options.resolve ?? (async () => ['127.0.0.1']),
    certificateAuthorities: trusts,
    limits: options.limits ?? {},
  })
  t.after(() => relays.close())
  const settings: RelaySettings = {
    host: 'receiver.test',
    port: relay.port,
    security: 'none',
    username: null,
    password: null,
    ...options.settings,
  }
  const content = async () => Readable.from([Buffer.from('Subject: Test\r\n\r\nTest\r\n')])
  const mail = { from: 'desk@example.com', to: 'ada@example.com', content }
  const result = await relays.verify(settings, mail, options.signal ?? new AbortController().signal)
  return { relay, result }
}

describe('a name', () => {
  const cases: [
    name: string,
    addresses: string[],
    allowed: string[],
    settings: Partial<RelaySettings>,
    text: RegExp,
  ][] = [
    [
      'of a private address',
      ['10.0.0.1'],
      [],
      { port: 465, security: 'tls' },
      /^forbidden address 10\.0\.0\.1$/,
    ],
    [
      'with one private address',
      ['8.8.8.8', '127.0.0.1'],
      [],
      { port: 465, security: 'tls' },
      /^forbidden address 127/,
    ],
    [
      'of a global address without TLS',
      ['8.8.8.8'],
      [],
      { port: 25, security: 'none' },
      /must be tls or starttls$/,
    ],
    [
      'of a global address at another port',
      ['8.8.8.8'],
      [],
      { port: 80, security: 'tls' },
      /^the port must be one of/,
    ],
    [
      'with one address outside of the allowed networks',
      ['127.0.0.1', '8.8.8.8'],
      ['127.0.0.1'],
      {},
      /^the port of 8/,
    ],
    ['without addresses', [], [], { port: 465, security: 'tls' }, /^name not found$/],
  ]
  for (const [name, addresses, allowed, settings, text] of cases) {
    test(`${name} fails when it is resolved, without a connection`, async (t) => {
      const { relay, result } = await verifyWith(t, { resolve: async () => addresses, allowed, settings })
      assert.deepEqual([result.ok, result.stage, result.smtp_code], [false, 'resolve', null])
      assert.match(result.response, text)
      assert.equal(relay.sockets.length, 0)
    })
  }

  test('that nobody answers for fails in time', async (t) => {
    const { result } = await verifyWith(t, {
      resolve: () => new Promise(() => undefined),
      limits: { connectMs: 20 },
    })
    assert.deepEqual([result.stage, result.response], ['resolve', 'no answer within 0.02 s'])
  })

  test('is resolved once, and its address is the one that is connected to', async (t) => {
    const asked: string[] = []
    const resolve = async (name: string) => {
      asked.push(name)
      return ['127.0.0.1']
    }
    const { result } = await verifyWith(t, { resolve, settings: { host: 'Receiver.Test.' } })
    assert.equal(result.ok, true)
    assert.deepEqual(asked, ['receiver.test'])
  })
})

describe('TLS', () => {
  for (const security of ['tls', 'starttls'] as const) {
    const presenting = (name: string): Script => ({
      certificate: name,
      tls: security === 'tls',
      extensions: ['STARTTLS', 'AUTH PLAIN', 'PIPELINING'],
    })
    const login = { username: 'desk', password: 'hunter2' }
    const cases: [name: string, certificate: string, host: string, trusts: string, text: string | null][] = [
      ['of the relay', 'receiver.test', 'receiver.test', 'authority', null],
      ['of the address of the relay', 'receiver.test', '127.0.0.1', 'authority', null],
      [
        'of another name',
        'receiver.test',
        'other.test',
        'authority',
        'certificate: host name does not match',
      ],
      ['that has expired', 'expired.test', 'expired.test', 'authority', 'certificate: expired'],
      [
        'that is self-signed',
        'self-signed.test',
        'self-signed.test',
        'authority',
        'certificate: self-signed',
      ],
      [
        'of an unknown issuer',
        'receiver.test',
        'receiver.test',
        'self-signed.test',
        'certificate: issuer missing or not trusted',
      ],
    ]
    for (const [name, presented, host, trusted, text] of cases) {
      test(`by ${security} ${text ? 'refuses' : 'accepts'} a certificate ${name}`, async (t) => {
        const settings = { host, security, ...login }
        const script = presenting(presented)
        const { relay, result } = await verifyWith(t, { script, settings, trusts: [certificate(trusted)] })
        const expected = text
          ? { ok: false, stage: 'tls', smtp_code: null, response: text }
          : { ok: true, stage: null, smtp_code: 250, response: '250 2.0.0 queued as 4711' }
        assert.deepEqual(result, expected)
        assert.equal(
          relay.commands.some((command) => command.startsWith('AUTH')),
          text === null,
        )
      })
    }
  }

  const refusals: [name: string, script: Script, stage: string][] = [
    ['does not offer STARTTLS', { answers: { STARTTLS: '502 5.5.1 what?' } }, 'tls'],
    ['answers STARTTLS without TLS', { extensions: ['STARTTLS'] }, 'tls'],
    ['refuses STARTTLS', { extensions: ['STARTTLS'], answers: { STARTTLS: '454 4.7.0 not now' } }, 'tls'],
    ['hangs at STARTTLS', { extensions: ['STARTTLS'], answers: { STARTTLS: hang } }, 'tls'],
    ['does not know EHLO', { answers: { EHLO: '502 5.5.1 what?' } }, 'connect'],
    [
      'answers further commands before TLS',
      { extensions: ['STARTTLS'], answers: { STARTTLS: '220 go on\r\n250 x' } },
      'tls',
    ],
  ]
  for (const [name, script, stage] of refusals) {
    test(`is required of a relay that ${name}: nothing is sent in plain text`, async (t) => {
      const settings: Partial<RelaySettings> = { security: 'starttls', username: 'desk', password: 'hunter2' }
      const { relay, result } = await verifyWith(t, {
        script,
        settings,
        limits: { commandMs: 50, greetingMs: 50, verifyMs: 500 },
      })
      assert.deepEqual([result.ok, result.stage], [false, stage])
      assert.ok(
        !relay.commands.some((command) => /^(AUTH|MAIL|RCPT|HELO)/.test(command)),
        String(relay.commands),
      )
    })
  }

  test('from the first byte ends in time if the relay does not answer', async (t) => {
    const script = { answers: { greeting: hang } } as const
    const { result } = await verifyWith(t, {
      script,
      settings: { security: 'tls' },
      limits: { greetingMs: 50 },
    })
    assert.deepEqual([result.stage, result.response], ['tls', 'no answer within 0.05 s'])
  })
})

describe('a password', () => {
  const [username, password] = ['desk', 'correct horse/battery']
  const plain = Buffer.from(`\0${username}\0${password}`).toString('base64')

  test('is sent by the mechanisms of the relay, after EHLO', async (t) => {
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    for (const [offer, first, commands] of [
      ['AUTH LOGIN PLAIN', '235 2.7.0 ok', [`AUTH PLAIN ${plain}`]],
      ['AUTH LOGIN', ['334 VXNlcm5hbWU6'], ['AUTH LOGIN', base64(username), base64(password)]],
    ] as const) {
      const others = (line: string) => (line === base64(username) ? '334 UGFzc3dvcmQ6' : '235 2.7.0 ok')
      const answers = { AUTH: [...[first].flat()], [base64(username)]: others, [base64(password)]: others }
      const script = { extensions: [offer], answers } as Script
      const { relay, result } = await verifyWith(t, { script, settings: { username, password } })
      assert.equal(result.ok, true, result.response)
      assert.deepEqual(relay.commands.slice(1, 1 + commands.length), commands)
    }
  })

  test('that is wrong fails at the stage auth, and shows nowhere, even if the relay repeats it', async (t) => {
    const answers = { AUTH: `535 5.7.8 ${plain} ${password} ${plain.replace(/=+$/, '')} wrong` }
    const script = { extensions: ['AUTH PLAIN'], answers }
    const { result } = await verifyWith(t, { script, settings: { username, password } })
    const response = '535 5.7.8 ***= *** *** wrong'
    assert.deepEqual(
      { ...result, response: result.response.replaceAll(/\*\*\*=*/g, '***') },
      { ok: false, stage: 'auth', smtp_code: 535, response: response.replaceAll(/\*\*\*=*/g, '***') },
    )
    assert.ok(!JSON.stringify(result).includes('horse'))
  })

  test('that the relay does not wait for ends in time', async (t) => {
    const script: Script = { extensions: ['AUTH PLAIN'], answers: { AUTH: hang } }
    const { result } = await verifyWith(t, {
      script,
      settings: { username, password },
      limits: { commandMs: 50 },
    })
    assert.deepEqual([result.stage, result.response], ['auth', 'no answer within 0.05 s'])
  })
})

describe('a verification', () => {
  test('names the stage and the reply', async (t) => {
    for (const [step, stage] of [
      ['greeting', 'connect'],
      ['MAIL', 'sender'],
      ['RCPT', 'recipient'],
      ['DATA', 'data'],
      ['end of data', 'data'],
    ] as const) {
      const { result } = await verifyWith(t, { script: { answers: { [step]: '550 5.7.1 no' } } })
      assert.deepEqual(result, { ok: false, stage, smtp_code: 550, response: '550 5.7.1 no' })
    }
  })

  test('ends in time whatever the relay does, and when its signal ends it', async (t) => {
    for (const step of ['greeting', 'EHLO', 'MAIL', 'end of data'] as const) {
      const script = { answers: { [step]: hang } }
      const { result } = await verifyWith(t, { script, limits: { verifyMs: 50 } })
      assert.deepEqual([result.ok, result.response], [false, 'no answer within 0.05 s'], step)
      const ended = await verifyWith(t, { script, signal: AbortSignal.timeout(50) })
      assert.deepEqual([ended.result.ok, ended.result.response], [false, 'interrupted'], step)
    }
  })

  test('leaves no connection', async (t) => {
    const { relay, result } = await verifyWith(t)
    assert.equal(result.ok, true)
    if (!relay.sockets[0]!.closed) await new Promise((resolve) => relay.sockets[0]!.once('close', resolve))
    assert.equal(relay.commands.at(-1), 'QUIT')
  })
})
