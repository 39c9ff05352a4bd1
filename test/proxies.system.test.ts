import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Agent, fetch, type RequestInit } from 'undici'
import { keyWith } from './contract/keys.ts'
import { type Body, conversation, succeeded } from './desk.ts'
import { announce } from './files.ts'
import { type Service, service, type World } from './harness.ts'
import { cleanUp, freePort, repository, temporaryDirectory, until } from './processes.ts'

/* The examples in deploy/, but for names, ports and certificates, with the real proxies. */

type Proxy = {
  program: string
  package: string
  /** Writes the configuration; returns the address of the proxy and the arguments that start it. */
  configure(directory: string, port: number, backend: string): { url: string; arguments: string[] }
}

const example = (path: string) => readFileSync(join(repository, 'deploy', path), 'utf8')

/** Replaces parts of an example, each of which must be there. */
const adapted = (text: string, changes: [from: string, to: string][]): string =>
  changes.reduce((changed, [from, to]) => {
    assert.ok(changed.includes(from), `The example has no ${from}`)
    return changed.replaceAll(from, to)
  }, text)

function certificate(directory: string): { certificate: string; key: string } {
  const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')]
  const names = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048']
  execFileSync('openssl', ['req', '-x509', '-keyout', key, '-out', certificate, ...names], {
    stdio: 'ignore',
  })
  return { certificate, key }
}

const proxies: Proxy[] = [
  {
    program: 'nginx',
    package: 'nginx-light',
    configure(directory, port, backend) {
      const { certificate: pem, key } = certificate(directory)
      const server = adapted(example('nginx/backline.conf'), [
        ['127.0.0.1:8080', backend],
        ['listen 443', `listen 127.0.0.1:${port}`],
        ['support.example.com;', 'localhost;'],
        ['/etc/ssl/support.example.com.pem', pem],
        ['/etc/ssl/support.example.com.key', key],
      ])
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(directory, name)};`,
      )
      const file = join(directory, 'nginx.conf')
      const user = process.getuid?.() === 0 ? 'user root;' : ''
      const whole = `${user} daemon off; pid ${join(directory, 'pid')}; error_log stderr; events {}
        http { access_log off; ${places.join(' ')} ${server} }`
      writeFileSync(file, whole)
      return { url: `https://localhost:${port}`, arguments: ['-e', 'stderr', '-c', file] }
    },
  },
  {
    program: 'caddy',
    package: 'caddy',
    configure(directory, port, backend) {
      const file = join(directory, 'Caddyfile')
      const sites = adapted(example('caddy/Caddyfile'), [
        ['127.0.0.1:8080', backend],
        ['support.example.com {', `http://localhost:${port} {`],
      ])
      writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n}\n${sites}`)
      return {
        url: `http://localhost:${port}`,
        arguments: ['run', '--adapter', 'caddyfile', '--config', file],
      }
    },
  },
]

/** Only the proxies are trusted: clients of these tests connect from other addresses of this machine. */
const clients = ['127.0.0.2', '127.0.0.3'] as const

for (const proxy of proxies) {
  const isInstalled = spawnSync(proxy.program, ['-v']).error === undefined
  const skip = isInstalled ? false : `no ${proxy.program}: install Debian's package \`${proxy.package}\``
  describe(`behind ${proxy.program}`, { skip }, () => {
    const api: Service = service({
      environment: { BACKLINE_TRUSTED_PROXIES: '127.0.0.1', BACKLINE_SESSIONS_PER_MINUTE: '' },
    })
    const agents = Object.fromEntries(
      clients.map((localAddress) => [
        localAddress,
        new Agent({ allowH2: true, localAddress, connect: { rejectUnauthorized: false } }),
      ]),
    )
    let world: World
    let url: string
    let daemon: ChildProcess
    let output = ''

    const from = (client: string, key: string, path: string, { headers, ...init }: RequestInit = {}) =>
      fetch(url + path, {
        dispatcher: agents[client]!,
        headers: {
          authorization: `Bearer ${key}`,
          ...(init.method === 'POST'
            ? { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
            : {}),
          ...(headers as Record<string, string>),
        },
        ...init,
      })

    before(async () => {
      world = await api.world()
      const directory = temporaryDirectory()
      const configured = proxy.configure(directory, await freePort(), new URL(api.url).host)
      url = configured.url
      const env = { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory }
      daemon = spawn(proxy.program, configured.arguments, { env })
      for (const stream of [daemon.stdout!, daemon.stderr!])
        stream.on('data', (data) => {
          output += data
        })
      await until(`${proxy.program} answers`, () => {
        assert.equal(daemon.exitCode, null, output)
        return from(clients[0], '', '/healthz').then(
          ({ status }) => status === 200,
          () => false,
        )
      })
    })
    after(async () => {
      daemon?.kill('SIGTERM')
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
      await cleanUp()
    })

    test('two clients have a limit of sessions each, whatever they write into X-Forwarded-For', async () => {
      const { secret } = succeeded(
        await world.test.post('/v1/api_keys', { name: 'Page', kind: 'publishable' }),
      )
      for (const client of clients) {
        const statuses: number[] = []
        for (let i = 0; i < 11; i++) {
          const headers = { 'x-forwarded-for': `203.0.113.${i}` }
          const init = { method: 'POST', headers, body: '{}' }
          statuses.push((await from(client, secret, '/v1/end_user_sessions/anonymous', init)).status)
        }
        assert.deepEqual(statuses, [...Array(10).fill(201), 429], client)
      }
    })

    test('allowed_cidrs and the audit log have the address of the client', async () => {
      const [inside, outside] = clients
      const { key } = await keyWith(api, world.environments.test, { allowed_cidrs: [inside] })
      const init = { method: 'POST', body: JSON.stringify({ name: 'From the office' }) }
      assert.equal((await from(outside, key, '/v1/tags', init)).status, 403)
      const claimed = { ...init, headers: { 'x-forwarded-for': inside } }
      assert.equal((await from(outside, key, '/v1/tags', claimed)).status, 403)
      const made = await from(inside, key, '/v1/tags', init)
      assert.equal(made.status, 201)
      const { id } = (await made.json()) as Body
      const { data } = succeeded(await world.test.get(`/v1/audit_log?target_id=${id}`))
      assert.equal(data[0].ip, inside)
    })

    test('a stream shows an event while it is open', async () => {
      const response = await from(clients[0], world.test.key, '/v1/events/stream')
      assert.equal(response.status, 200)
      const { id } = await conversation(world.test)
      let text = ''
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk
        if (text.includes(id)) break
      }
      assert.ok(text.includes('conversation.created'))
    })

    test('an upload is larger than another body may be', async () => {
      const bytes = Buffer.alloc(5 * 2 ** 20, 'Backline ')
      const named = { filename: 'notes.txt', content_type: 'text/plain' }
      const { id, upload } = await announce(world.test, { bytes, ...named })
      const sent = await fetch(url + new URL(upload.url).pathname, {
        method: upload.method,
        headers: upload.headers,
        body: bytes,
        dispatcher: agents[clients[0]]!,
      })
      assert.equal(sent.status, 200)
      assert.equal(succeeded(await world.test.post(`/v1/files/${id}/complete`)).status, 'ready')
      const body = JSON.stringify({ name: 'x'.repeat(2 ** 20) })
      const refused = await from(clients[0], world.test.key, '/v1/tags', { method: 'POST', body })
      assert.equal(refused.status, 413)
    })

    test('metrics are not shown', async () => {
      assert.equal((await from(clients[0], world.test.key, '/metrics')).status, 404)
    })
  })
}
