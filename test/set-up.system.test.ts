import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '@backline/server/compose/config.ts'
import pg from 'pg'
import { cloneDatabase, secretKey, urlOf } from './databases.ts'
import { cleanUp, freePort, launch, startServer, temporaryDirectory } from './processes.ts'

/* Settings that are wrong: the server refuses to start, names the setting and says what to do. */

after(cleanUp)

describe('a setting that is not valid is refused at start by its name', { concurrency: 3 }, () => {
  const file = join(temporaryDirectory(), 'a file')
  writeFileSync(file, '')
  type Case = { environment: Record<string, string>; named: string[] }
  const one = (name: string, value: string): Case => ({ environment: { [name]: value }, named: [name] })
  const keys = {
    BACKLINE_FILES_S3_ACCESS_KEY_ID: 'geheim',
    BACKLINE_FILES_S3_SECRET_ACCESS_KEY: 'geheim',
  }
  const keyNames = Object.keys(keys)
  const bucket = { BACKLINE_FILES_S3_BUCKET: 'files', ...keys }
  const client = { BACKLINE_OIDC_CLIENT_ID: 'backline', BACKLINE_OIDC_CLIENT_SECRET: 'geheim' }
  const issuer = 'https://id.example.com'
  const cases: Case[] = [
    one('HOST', 'not a host'),
    one('HOST', 'no.such.host'),
    one('PORT', '65536'),
    one('DATABASE_URL', 'mysql://user:geheim@localhost/backline'),
    one('DATABASE_URL', 'postgres://user:geheim@a,b:x/backline'),
    one('DATABASE_URL', 'postgres://user:geheim@a:5432,b:5432/backline?target_session_attrs=standby'),
    one('BACKLINE_DATA_DIR', file),
    one('BACKLINE_DATA_DIR', '/proc/backline/data'),
    one('BACKLINE_SECRET_KEY', 'geheim'),
    one('BACKLINE_PUBLIC_URL', 'support.example.com'),
    {
      environment: { BACKLINE_PUBLIC_ULR: 'geheim' },
      named: ['BACKLINE_PUBLIC_URL'],
    },
    one('BACKLINE_LOG_LEVEL', 'verbose'),
    one('BACKLINE_LOG_FORMAT', 'xml'),
    one('BACKLINE_ROLE', 'both'),
    one('BACKLINE_RATE_LIMIT_PER_SECOND', '-1'),
    one('BACKLINE_RATE_LIMIT_BURST', '0'),
    one('BACKLINE_SESSIONS_PER_MINUTE', '-1'),
    one('BACKLINE_END_USER_WRITES_PER_10_SECONDS', 'few'),
    one('BACKLINE_MAX_STREAMS', '0'),
    one('BACKLINE_MAX_STREAMS_PER_KEY', 'many'),
    one('BACKLINE_MAX_UNSENT_MB', '15'),
    one('BACKLINE_WEBHOOK_ALLOWED_NETWORKS', '10.0.0.0/8,localhost'),
    one('BACKLINE_SMTP_ALLOWED_NETWORKS', '10.0.0.0/33'),
    one('BACKLINE_MAIL_PER_ADDRESS_PER_HOUR', '-1'),
    one('BACKLINE_MAIL_RETRY_SECONDS', '60,,300'),
    one('BACKLINE_MAIL_LISTEN', 'lmtp:relative/socket'),
    one('BACKLINE_MAIL_LISTEN', 'smtp://127.0.0.1'),
    one('BACKLINE_MAIL_ALLOWED_NETWORKS', '127.0.0.1,localhost'),
    one('BACKLINE_WEBHOOK_RETRY_SECONDS', '5,,30'),
    one('BACKLINE_TRUSTED_PROXIES', '0.0.0.0/0'),
    one('BACKLINE_V2_RELEASED_AT', '2026-02-30'),
    one('BACKLINE_V1_RETIRES_AT', 'tomorrow'),
    { environment: { BACKLINE_V1_RETIRES_AT: '2030-01-01' }, named: ['BACKLINE_V1_RETIRES_AT'] },
    {
      environment: { BACKLINE_V2_RELEASED_AT: '2029-01-02', BACKLINE_V1_RETIRES_AT: '2030-01-01' },
      named: ['BACKLINE_V1_RETIRES_AT'],
    },
    one('BACKLINE_IDEMPOTENCY_RETENTION_HOURS', '23'),
    one('BACKLINE_REQUEST_LOG_DAYS', '31'),
    one('BACKLINE_REQUEST_LOG_ROWS', '99'),
    {
      environment: { BACKLINE_FILES_DIR: '/tmp/files', ...bucket },
      named: ['BACKLINE_FILES_DIR'],
    },
    {
      environment: { ...bucket, BACKLINE_FILES_S3_BUCKET: 's3://files' },
      named: ['BACKLINE_FILES_S3_BUCKET'],
    },
    { environment: { ...bucket, BACKLINE_FILES_S3_BUCKET: '' }, named: keyNames },
    {
      environment: { BACKLINE_FILES_S3_BUCKET: 'files' },
      named: ['BACKLINE_FILES_S3_BUCKET', 'BACKLINE_FILES_S3_BUCKET'],
    },
    {
      environment: { ...bucket, BACKLINE_FILES_S3_ACCESS_KEY_ID: 'geheim geheim' },
      named: ['BACKLINE_FILES_S3_ACCESS_KEY_ID'],
    },
    {
      environment: { ...bucket, BACKLINE_FILES_S3_SECRET_ACCESS_KEY: 'geheim\u00e4' },
      named: ['BACKLINE_FILES_S3_SECRET_ACCESS_KEY'],
    },
    {
      environment: { ...bucket, BACKLINE_FILES_S3_ENDPOINT: 'https://me:geheim@s3.example.com' },
      named: ['BACKLINE_FILES_S3_ENDPOINT'],
    },
    one('BACKLINE_FILES_S3_ENDPOINT', 'https://s3.example.com'),
    { environment: { ...bucket, BACKLINE_FILES_S3_REGION: 'eu/1' }, named: ['BACKLINE_FILES_S3_REGION'] },
    one('BACKLINE_FILES_MAX_BYTES', '0'),
    one('BACKLINE_FILES_MAX_BYTES', '5368709121'),
    one('BACKLINE_CLAMD', 'clamd.sock'),
    one('BACKLINE_CLAMD', '::1:3310'),
    one('BACKLINE_CLAMD', 'localhost:65536'),
    one('BACKLINE_OIDC_WORKSPACE', 'desk'),
    {
      environment: { ...client, BACKLINE_OIDC_ISSUER: 'http://id.example.com' },
      named: ['BACKLINE_OIDC_ISSUER'],
    },
    {
      environment: { ...client, BACKLINE_OIDC_ISSUER: issuer, BACKLINE_OIDC_CLIENT_ID: 'back line' },
      named: ['BACKLINE_OIDC_CLIENT_ID'],
    },
    {
      environment: { ...client, BACKLINE_OIDC_ISSUER: issuer, BACKLINE_OIDC_CLIENT_SECRET: 'geheim geheim' },
      named: ['BACKLINE_OIDC_CLIENT_SECRET'],
    },
    { environment: { PORT: 'x', BACKLINE_ROLE: 'y' }, named: ['PORT', 'BACKLINE_ROLE'] },
  ]
  test('every setting there is has a line in this table', () => {
    const asked = new Set<string>()
    readConfig(new Proxy({}, { get: (_, name) => void asked.add(String(name)) }))
    const tried = new Set(cases.flatMap((each) => each.named))
    asked.delete('BACKLINE_METRICS_TOKEN') // any text is valid
    const own = [...asked].filter((name) => !name.startsWith('OTEL_')) // telemetry.system.test.ts has these
    assert.deepEqual(own.sort(), [...tried].sort())
  })
  for (const { environment, named } of cases) {
    const title = Object.entries(environment).map(([name, value]) => `${name}=${value.replace(file, 'file')}`)
    test(title.join(' '), async () => {
      const dataDir = join(temporaryDirectory(), 'unused')
      const server = launch({ environment: { BACKLINE_DATA_DIR: dataDir, PORT: '0', ...environment } })
      assert.deepEqual(await server.ended(), { code: 1, signal: null })
      const lines = server.stderr.trimEnd().split('\n')
      assert.equal(lines.length, named.length, server.stderr)
      for (const [i, name] of named.entries()) assert.match(lines[i]!, new RegExp(`\\b${name}\\b`))
      assert.doesNotMatch(server.output, /geheim/)
      assert.equal(existsSync(dataDir), false, 'nothing was made')
    })
  }
})

describe('a database that cannot be used is refused at start in a line with a solution', {
  concurrency: 3,
}, () => {
  let url: string
  let close = async (): Promise<unknown> => undefined
  before(async () => {
    const { connection, drop } = await cloneDatabase()
    const client = new pg.Client(connection)
    await client.connect()
    // The version of a server that is too old: its own `current_setting` hides that of PostgreSQL.
    await client.query(`create schema old;
      create function old.current_setting(name text) returns text language sql as
        $$ select case name when 'server_version_num' then '140012' when 'server_version' then '14.12'
           else pg_catalog.current_setting(name) end $$;
      create role guest login`)
    url = urlOf(connection)
    close = async () => {
      await client.query('drop role guest').finally(() => client.end())
      await drop()
    }
  })
  after(() => close())

  const refusal = async (DATABASE_URL: string) => {
    const environment = { DATABASE_URL, PORT: String(await freePort()), BACKLINE_SECRET_KEY: secretKey }
    const server = launch({ environment })
    assert.deepEqual(await server.ended(), { code: 1, signal: null })
    assert.match(server.stderr, /^[^\n]+DATABASE_URL[^\n]+\n$/)
    assert.doesNotMatch(server.stderr, /geheim|node:|Error:/)
    return server.stderr
  }

  test('an old PostgreSQL', async () => {
    const old = new URL(url)
    old.searchParams.set('options', '-c search_path=old,pg_catalog,public')
    assert.match(await refusal(old.href), /PostgreSQL 14\.12.*: use PostgreSQL 15 to 18$/m)
  })

  test('a database that does not exist', async () => {
    const missing = new URL(url)
    missing.pathname = '/nowhere'
    assert.match(await refusal(missing.href), /database "nowhere" does not exist: create it with createdb/)
  })

  test('a user without rights', async () => {
    const guest = new URL(url)
    guest.username = 'guest'
    assert.match(await refusal(guest.href), /grant create on schema public to guest/)
  })

  test('a wrong password', async (t) => {
    const port = await refusingPostgres(t, '28P01', 'password authentication failed for user "me"')
    const message = await refusal(`postgres://me:geheim@127.0.0.1:${port}/backline`)
    assert.match(
      message,
      /password authentication failed .*: correct the user or the password in DATABASE_URL/,
    )
  })

  test('a server without TLS', async (t) => {
    const port = await refusingPostgres(t, '28000', 'unused')
    const message = await refusal(`postgres://me@127.0.0.1:${port}/backline?sslmode=verify-full`)
    assert.match(message, /does not support SSL connections: set sslmode=disable in DATABASE_URL/)
  })

  test('a name that does not exist', async () => {
    assert.match(
      await refusal('postgres://me@no.such.host/backline'),
      /correct the host in DATABASE_URL|no\.such\.host/,
    )
  })

  /** A PostgreSQL without TLS that refuses each login. @returns its port */
  async function refusingPostgres(t: { after(f: () => unknown): void }, code: string, message: string) {
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .once('data', (startup) => {
          const isTlsRequest = startup.length === 8
          if (isTlsRequest) return socket.end('N')
          const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`)
          const length = Buffer.alloc(4)
          length.writeInt32BE(fields.length + 4)
          socket.end(Buffer.concat([Buffer.from('E'), length, fields]))
        })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    return (server.address() as AddressInfo).port
  }
})

test('sslmode=require is reported in one sentence of its own', async () => {
  const DATABASE_URL = `postgres://me@127.0.0.1:${await freePort()}/backline?sslmode=require`
  const server = launch({ environment: { DATABASE_URL, PORT: String(await freePort()) } })
  await server.ended()
  assert.match(
    server.stdout,
    /"DATABASE_URL: sslmode is taken as verify-full, .*sslmode=no-verify accepts any"/,
  )
  assert.match(server.stderr, /^[^\n]+ECONNREFUSED[^\n]+\n$/)
})

test('variables of Kubernetes for a service named backline are no settings', async () => {
  const environment = {
    BACKLINE_DATA_DIR: temporaryDirectory(),
    BACKLINE_API_SERVICE_HOST: '10.0.0.1',
    BACKLINE_API_SERVICE_PORT_HTTP: '8080',
    BACKLINE_API_PORT: 'tcp://10.0.0.1:8080',
    BACKLINE_API_PORT_8080_TCP_ADDR: '10.0.0.1',
  }
  const server = await startServer({ environment })
  await server.stop()
})
