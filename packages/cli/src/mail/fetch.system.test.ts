import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test'
import { newKeySecret } from '@backline/server/support/vocabulary/credentials.ts'
import { type Body, succeeded } from '@backline/test/desk.ts'
import { type Dovecot, needsDovecot, password, startDovecot, user } from '@backline/test/dovecot.ts'
import { service, type World } from '@backline/test/harness.ts'
import { mailbox } from '@backline/test/mails.ts'
import { cleanUp, launch, repository, type ServerProcess, until } from '@backline/test/processes.ts'
import { type Around, fileWith, gatewayTo, isPost, letter } from './gateway.test-fixtures.ts'

/* Mails go from a folder of the real Dovecot to the API by the command, in a process of its own. */

const authority = join(repository, 'test/certificates/authority.pem')

describe('mail fetch', { ...needsDovecot, concurrency: 1 }, () => {
  const api = service({ works: true })
  let world: World
  let desk: Body
  let dovecot: Dovecot
  let passwordFile: string

  before(async () => {
    dovecot = await startDovecot()
    passwordFile = fileWith(`${password}\n`)
  })
  /** Each test has an environment and a folder of its own. */
  let folder: string
  let folders = 0
  beforeEach(async () => {
    world = await api.world()
    desk = await mailbox(world.test)
    folder = `Box ${++folders}`
    dovecot.create(folder)
  })
  after(async () => {
    await dovecot?.stop()
    await cleanUp()
  })

  const imaps = () => `imaps://${user}@127.0.0.1:${dovecot.tlsPort}/${encodeURIComponent(folder)}`

  type Given = Partial<{
    args: string[]
    url: string
    imap: string
    file: string
    mailboxId: string
    key: string
    trusts: boolean
  }>

  function fetching({ args = [], trusts = true, ...given }: Given = {}) {
    const { url = api.url, imap = imaps(), file = passwordFile, mailboxId = desk.id } = given
    const options = ['--mailbox', mailboxId, '--imap', imap, '--password-file', file, '--url', url]
    return launch({
      command: [process.execPath, 'packages/cli/src/main.ts', 'mail', 'fetch', ...options, ...args],
      environment: {
        BACKLINE_API_KEY: given.key ?? world.test.key,
        XDG_CONFIG_HOME: '/nonexistent',
        ...(trusts ? { NODE_EXTRA_CA_CERTS: authority } : {}),
      },
    })
  }

  async function once({ args = [], ...given }: Given = {}) {
    const process = fetching({ args: ['--once', ...args], ...given })
    const { code } = await process.ended()
    return { code, stdout: process.stdout, stderr: process.stderr }
  }

  const arrived = async (): Promise<Body[]> => {
    const { data } = succeeded(await world.test.get('/v1/inbound_emails?sort=created_at'))
    return data
  }
  const subjects = async () => (await arrived()).map(({ subject }) => subject)
  const isSeen = (uid: number) => dovecot.flags(folder).get(uid)?.includes('\\Seen') ?? false
  const untilSeen = (process: ServerProcess, ...uids: number[]) =>
    until(
      () => `the mails are seen: ${process.output}`,
      () => {
        assert.equal(process.exit, null, process.output)
        return uids.every(isSeen)
      },
    )
  const put = (text: string | Buffer) => dovecot.put(text, folder)

  const gateway = (t: TestContext, around: Around) => gatewayTo(api.url, t, around)

  test('an unseen mail becomes a conversation, and is seen after; one that was seen does not', async () => {
    const seen = put(letter('Read before'))
    dovecot.see(seen, folder)
    const uid = put(letter('Card declined'))
    const { code, stdout, stderr } = await once()
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(
      stdout,
      /^Fetching unseen mail of Box \d+ of ada@desk\.test .*\neml_\w+ {2}UID 2\nFetched 1 mail\n$/,
    )
    assert.ok(isSeen(uid))
    const [email, ...others] = await until('it is processed', async () => {
      const all = await arrived()
      return all.every(({ status }) => status === 'created') && all
    })
    assert.deepEqual(others, [])
    assert.partialDeepStrictEqual(email, {
      subject: 'Card declined',
      mailbox_id: desk.id,
      source: 'api',
      mail_from: null,
    })
    const conversation = succeeded(await world.test.get(`/v1/conversations/${email!.conversation_id}`))
    assert.equal(conversation.mailbox_id, desk.id)
    assert.deepEqual((await once()).code, 0)
    assert.deepEqual(await subjects(), ['Card declined'])
  })

  test('mail that arrives while it runs is fetched, and SIGTERM ends it in order', async () => {
    const process = fetching()
    for (let i = 1; i <= 3; i++) await untilSeen(process, put(letter(`Mail ${i}`)))
    const { code } = await process.stop()
    assert.deepEqual([code, process.stderr], [0, ''])
    assert.match(process.stdout, /Fetched 3 mails\n$/)
    assert.deepEqual(await subjects(), ['Mail 1', 'Mail 2', 'Mail 3'])
  })

  test('with --move-to mails are moved to a folder, which is made', async () => {
    put(letter('One'))
    put(letter('Two'))
    const target = `${folder} taken/2026`
    const { code } = await once({ args: ['--move-to', target] })
    assert.equal(code, 0)
    assert.equal(dovecot.flags(folder).size, 0)
    assert.equal(dovecot.flags(target).size, 2)
    assert.deepEqual(await subjects(), ['One', 'Two'])
  })

  test('a mail that the API refuses stays unseen, is told once, and those behind it pass', async () => {
    const refused = put(letter('Too large', 'x'.repeat(76).concat('\r\n').repeat(360_000)))
    const taken = put(letter('Behind it'))
    const { code, stdout, stderr } = await once()
    assert.equal(code, 1)
    assert.match(
      stderr,
      new RegExp(
        `^warning: the mail with the UID ${refused} stays unseen: returned 413 payload_too_large: .*\n$`,
      ),
    )
    assert.match(stdout, /Fetched 1 mail; 1 mail stayed unseen\n$/)
    assert.deepEqual([isSeen(refused), isSeen(taken)], [false, true])
    const process = fetching()
    for (let i = 1; i <= 3; i++) await untilSeen(process, put(letter(`Mail ${i}`)))
    await process.stop()
    assert.equal(process.stderr.split('\n').length, 2, process.stderr)
    assert.deepEqual(await subjects(), ['Behind it', 'Mail 1', 'Mail 2', 'Mail 3'])
  })

  test('a mail of 24 MiB arrives byte for byte', async () => {
    const text = Buffer.from(letter('Large', 'åß∂ 0123456789\r\n'.repeat(1_300_000)))
    put(text)
    assert.equal((await once()).code, 0)
    const [{ id, size_bytes }] = (await arrived()) as [Body]
    assert.equal(size_bytes, text.length)
    const raw = await fetch(`${api.url}/v1/inbound_emails/${id}/raw`, {
      headers: { authorization: `Bearer ${world.test.key}` },
    })
    assert.ok(text.equals(Buffer.from(await raw.arrayBuffer())))
  })

  test('killed after the API has the mail and before it is marked, the next run makes no second mail', async (t) => {
    const uid = put(letter('Once'))
    let victim: ServerProcess | null = null
    const url = await gateway(t, {
      after: async (request, status) => {
        if (!isPost(request) || status !== 202) return
        await victim!.stop('SIGKILL')
      },
    })
    victim = fetching({ url })
    assert.equal((await victim.ended()).signal, 'SIGKILL')
    assert.equal(isSeen(uid), false)
    const { code } = await once()
    assert.deepEqual([code, isSeen(uid)], [0, true])
    const [email, ...others] = await arrived()
    assert.deepEqual([others, email!.duplicate_count], [[], 0])
  })

  test('a mail with the UID of another one, which the server gives again, is not taken for that one', async (t) => {
    const keys: unknown[] = []
    const url = await gateway(t, {
      before: (request) => {
        const { headers } = request
        if (!isPost(request)) return false
        keys.push(headers['idempotency-key'])
        if (String(headers['idempotency-key']).startsWith('imap-')) headers['idempotency-key'] = 'the-same'
        return false
      },
    })
    const uids = [put(letter('One')), put(letter('Two'))]
    const { code, stderr } = await once({ url })
    assert.deepEqual([code, stderr], [0, ''])
    assert.deepEqual(await subjects(), ['One', 'Two'])
    assert.ok(uids.every(isSeen))
    assert.equal(keys.length, 3)
    assert.equal(new Set(keys).size, 3)
  })

  test('a mail at which the API fails stays unseen, and those behind it pass', async (t) => {
    const failing = put(letter('Fails'))
    const behind = put(letter('Behind it'))
    let key: unknown
    const url = await gateway(t, {
      before: (request, response) => {
        if (!isPost(request)) return false
        key ??= request.headers['idempotency-key']
        if (request.headers['idempotency-key'] !== key) return false
        response.writeHead(500).end()
        return true
      },
    })
    const { code, stderr } = await once({ url })
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`warning: the mail with the UID ${failing} stays unseen: returned 500`))
    assert.deepEqual([isSeen(failing), isSeen(behind)], [false, true])
  })

  test('while the API limits, sheds or loses requests it waits, and loses no mail', async (t) => {
    const answers: ((response: ServerResponse) => unknown)[] = [
      (response) => response.writeHead(503, { 'retry-after': '0' }).end(),
      (response) => response.writeHead(429, { 'retry-after': '0' }).end(),
      (response) => response.destroy(),
    ]
    const url = await gateway(t, {
      before: (request, response) => {
        const answer = isPost(request) && answers.shift()
        if (answer) answer(response)
        return Boolean(answer)
      },
    })
    const uids = [put(letter('One')), put(letter('Two'))]
    const process = fetching({ url })
    await untilSeen(process, ...uids)
    await process.stop()
    assert.match(process.stderr, /returned 503.*returned 429.*next attempt/s)
    assert.deepEqual(await subjects(), ['One', 'Two'])
  })

  test('with --once a server that is away ends it with 1, and no mail is seen', async () => {
    const uid = put(letter('Waits'))
    const { code, stderr } = await once({ url: 'http://127.0.0.1:9' })
    assert.equal(code, 1)
    assert.match(stderr, /\nerror: http:\/\/127\.0\.0\.1:9 cannot be asked: connect ECONNREFUSED .*\n$/)
    assert.equal(isSeen(uid), false)
  })

  test('after the mail server was away, it goes on', async () => {
    const process = fetching()
    await untilSeen(process, put(letter('Before')))
    await dovecot.stop()
    await until('the loss is told', () => /next attempt/.test(process.stderr))
    await dovecot.start()
    await untilSeen(process, put(letter('After')))
    assert.equal((await process.stop()).code, 0)
    assert.deepEqual(await subjects(), ['Before', 'After'])
  })

  test('with --once it takes all mails although the mail server restarts between them', async (t) => {
    const uids = [put(letter('One')), put(letter('Two')), put(letter('Three'))]
    let restarts = 0
    const url = await gateway(t, {
      after: async (request) => {
        if (!isPost(request) || restarts++ > 0) return
        await dovecot.stop()
        await dovecot.start()
      },
    })
    const { code, stdout } = await once({ url })
    assert.equal(code, 0)
    assert.match(stdout, /Fetched 3 mails\n$/)
    assert.ok(uids.every(isSeen))
    assert.deepEqual(await subjects(), ['One', 'Two', 'Three'])
  })

  test('two commands for the same folder make each mail once', async () => {
    const uids = Array.from({ length: 20 }, (_, i) => put(letter(`Mail ${i}`)))
    const [one, two] = [fetching(), fetching()]
    await untilSeen(one, ...uids)
    await Promise.all([one.stop(), two.stop()])
    assert.equal(new Set(await subjects()).size, 20)
    assert.equal((await arrived()).length, 20)
  })

  test('imap:// on this machine needs no certificate', async () => {
    const plain = `imap://${user}@127.0.0.1:${dovecot.plainPort}/${encodeURIComponent(folder)}`
    put(letter('Plain'))
    assert.equal((await once({ imap: plain, trusts: false })).code, 0)
    assert.deepEqual(await subjects(), ['Plain'])
  })

  type Failure = [name: string, given: () => Given | Promise<Given>, message: RegExp]
  const failures: Failure[] = [
    [
      'a wrong password',
      () => ({ file: fileWith('wrong\n') }),
      /^error: imaps:\/\/127\.0\.0\.1:\d+ refused the login of ada@desk\.test .*; check the user and the password file;.*app password\n$/,
    ],
    [
      'a password file that others can read',
      () => ({ file: fileWith(password, 0o644) }),
      /^error: .* contains a password and other users can access it; run: chmod 600 '.*'\n$/,
    ],
    [
      'an empty password file',
      () => ({ file: fileWith('\n') }),
      /^error: .* must contain the password alone/,
    ],
    ['no password file', () => ({ file: '/nonexistent' }), /^error: cannot read the password: ENOENT/],
    [
      'a certificate that is not trusted',
      () => ({ trusts: false }),
      /^error: the certificate of imaps:\/\/127\.0\.0\.1:\d+ is not trusted: .*; set NODE_EXTRA_CA_CERTS .*\n$/,
    ],
    [
      'imaps:// on a port without TLS',
      () => ({ imap: `imaps://${user}@127.0.0.1:${dovecot.plainPort}` }),
      /^error: imaps:.* does not begin with TLS; try imap:\/\/.*\n$/,
    ],
    [
      'an unknown folder',
      () => ({ imap: imaps().replace(/[^/]*$/, 'Nowhere') }),
      /^error: .* has no folder Nowhere for ada@desk\.test; it has .*Box/,
    ],
    [
      'the folder as its target',
      () => ({ args: ['--move-to', folder] }),
      /^error: --move-to .* from which mails are fetched\n$/,
    ],
    [
      'a mailbox of another environment',
      async () => ({ mailboxId: (await mailbox(world.live)).id }),
      /^error: there is no mailbox mbx_\w+ in the test environment of http:.*\n$/,
    ],
    [
      'an archived mailbox',
      async () => {
        succeeded(await world.test.patch(`/v1/mailboxes/${desk.id}`, { archived: true }))
        return {}
      },
      /^error: the mailbox mbx_\w+ is archived\n$/,
    ],
    [
      'an archived mailbox, with a key that cannot read mailboxes,',
      async () => {
        succeeded(await world.test.patch(`/v1/mailboxes/${desk.id}`, { archived: true }))
        return { key: (await world.withScopes('inbound_emails:write')).key }
      },
      /^error: http:.* returned 400 invalid_query: mailbox_id must be the id of a mailbox that is not archived\n$/,
    ],
    [
      'a wrong key',
      () => ({ key: newKeySecret('test') }),
      /^error: http:.* returned 401 api_key_invalid: .*\n$/,
    ],
    [
      'a key without the scope',
      async () => ({ key: (await world.withScopes('tags:read')).key }),
      /^error: http:.* returned 403 scope_missing: .*\n$/,
    ],
  ]
  for (const [name, given, message] of failures)
    test(`${name} ends it with one line that says what to do`, async () => {
      const uid = put(letter('Stays'))
      const process = fetching(await given())
      const { code } = await process.ended()
      assert.equal(code, 1, process.output)
      assert.match(process.stderr, message)
      assert.equal(process.stderr.split('\n').length, 2, process.stderr)
      assert.equal(process.output.includes(password), false)
      assert.equal(isSeen(uid), false)
    })
})
